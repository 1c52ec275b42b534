/** Line plots as SVG, whose colors and letters the page's style sheet sets. */

export interface Axis {
  readonly label: string
  readonly min: number
  readonly max: number
  readonly isLog?: true
  /** Where a line is drawn, and what stands beside it; '' for a line alone. */
  readonly ticks: readonly (readonly [value: number, text: string])[]
}
export interface Series {
  readonly name: string
  /** Class in the style sheet. */
  readonly style: string
  readonly points: readonly (readonly [x: number, y: number])[]
}
export interface Plot {
  readonly title: string
  readonly x: Axis
  readonly y: Axis
  readonly series: readonly Series[]
  /** What is shown where the pointer rests: from one x to the other. */
  readonly notes: readonly { readonly from: number; readonly to: number; readonly text: string }[]
}

const WIDTH = 960
const HEIGHT = 320
const LEFT = 76
const RIGHT = 16
const TOP = 34
const BOTTOM = 44
const LEGEND_STEP = 100
/** Two decades. */
const ROOMY = 100

export function svgOf({ title, x, y, series, notes }: Plot): string {
  const right = WIDTH - RIGHT
  const bottom = HEIGHT - BOTTOM
  const atX = scale(x, LEFT, right)
  const atY = scale(y, bottom, TOP)
  const grid = [
    ...y.ticks.map(([value, text]) => {
      const at = fixed(atY(value))
      const line =
        `<line class="grid${text === '' ? ' minor' : ''}" x1="${LEFT}" x2="${right}" y1="${at}" ` +
        `y2="${at}"/>`
      return text === '' ? line : `${line}${label(LEFT - 8, atY(value) + 4, 'end', text)}`
    }),
    ...x.ticks.map(([value, text]) => {
      const at = fixed(atX(value))
      const line = `<line class="grid minor" x1="${at}" x2="${at}" y1="${TOP}" y2="${bottom}"/>`
      return `${line}${label(atX(value), bottom + 17, 'middle', text)}`
    }),
  ]
  const lines = series.map(({ style, points }) => {
    const path = points.map(([px, py]) => `${fixed(atX(px))},${fixed(atY(py))}`).join(' ')
    return points.length === 1
      ? `<circle class="dot ${style}" cx="${fixed(atX(points[0]![0]))}" ` +
          `cy="${fixed(atY(points[0]![1]))}" r="3"/>`
      : `<polyline class="line ${style}" points="${path}"/>`
  })
  const legend = series.map(({ name, style }, index) => {
    const at = right - LEGEND_STEP * (series.length - index)
    return (
      `<line class="line ${style}" x1="${at}" x2="${at + 18}" y1="14" ` +
      `y2="14"/>${label(at + 24, 18, 'start', name)}`
    )
  })
  const hints = notes.map(({ from, to, text }) => {
    const width = Math.max(1, atX(to) - atX(from))
    return (
      `<rect class="hint" x="${fixed(atX(from))}" y="${TOP}" width="${fixed(width)}" ` +
      `height="${bottom - TOP}"><title>${escaped(text)}</title></rect>`
    )
  })
  return [
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(title)}">`,
    ...grid,
    label((LEFT + right) / 2, HEIGHT - 6, 'middle', x.label),
    label(LEFT, 18, 'start', y.label),
    ...lines,
    ...legend,
    ...hints,
    '</svg>',
  ].join('\n')
}

/** About so many round numbers from 0 on. */
export function linearTicks(
  max: number,
  wanted: number,
  textOf: (value: number) => string,
): readonly (readonly [number, string])[] {
  const rough = max / wanted
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((it) => it >= rough)!
  const count = Math.floor(max / step + 1e-9)
  return Array.from({ length: count + 1 }, (_, index) => [index * step, textOf(index * step)])
}

/** Powers of ten with text; their doubles and fivefolds have some where there is room for it. */
export function logTicks(
  min: number,
  max: number,
  textOf: (value: number) => string,
): readonly (readonly [number, string])[] {
  const ticks: (readonly [number, string])[] = []
  const hasRoom = max / min <= ROOMY
  for (let power = Math.floor(Math.log10(min)); 10 ** power <= max; power++) {
    for (const factor of [1, 2, 5]) {
      const value = factor * 10 ** power
      if (value < min || value > max) continue
      ticks.push([value, factor === 1 || hasRoom ? textOf(value) : ''])
    }
  }
  return ticks
}

/** Text as it may stand in HTML and SVG. */
export function escaped(text: string): string {
  const codes: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  }
  return text.replaceAll(/[&<>"]/g, (letter) => codes[letter]!)
}

function scale({ min, max, isLog }: Axis, from: number, to: number): (value: number) => number {
  const at = isLog ? Math.log10 : (value: number) => value
  const [low, high] = [at(min), at(max)]
  const size = high - low || 1
  return (value) => from + ((at(Math.min(max, Math.max(min, value))) - low) / size) * (to - from)
}

const fixed = (value: number): string => value.toFixed(1)

const label = (x: number, y: number, anchor: string, text: string): string =>
  `<text x="${fixed(x)}" y="${fixed(y)}" text-anchor="${anchor}">${escaped(text)}</text>`
