/** Reads HTML as strictly as XML, but for the elements that have no end. */

const ENDLESS = new Set(['meta', 'link', 'br', 'img', 'input', 'hr'])
const TAG = /<!doctype html>|<(\/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z][\w-]*(?:="[^"<]*")?)*)\s*(\/?)>/g

export interface Markup {
  /** How often each element stands there. */
  readonly counts: Readonly<Record<string, number>>
  /** What stands between the tags, styles apart. */
  readonly text: string
  readonly attributes: readonly (readonly [name: string, value: string])[]
}

/** Throws where an element is not closed by its own tag, or a letter stands that must be escaped. */
export function readMarkup(html: string): Markup {
  const counts: Record<string, number> = {}
  const attributes: (readonly [string, string])[] = []
  const open: string[] = []
  let text = ''
  let at = 0
  for (const match of html.matchAll(TAG)) {
    const between = html.slice(at, match.index)
    at = match.index + match[0].length
    if (open.at(-1) !== 'style') text += checked(between)
    const [, end, name, rest = '', isShort] = match
    if (name === undefined) continue
    for (const [, attribute, value] of rest.matchAll(/([a-zA-Z][\w-]*)="([^"]*)"/g)) {
      attributes.push([attribute!, value!])
    }
    if (end === '/') {
      const last = open.pop()
      if (last !== name) throw new Error(`</${name}> closes <${last}>`)
      continue
    }
    counts[name] = (counts[name] ?? 0) + 1
    if (isShort !== '/' && !ENDLESS.has(name)) open.push(name)
  }
  text += checked(html.slice(at))
  if (open.length > 0) throw new Error(`<${open.at(-1)}> is never closed`)
  return { counts, text, attributes }
}

function checked(text: string): string {
  const stray = /[<>]|&(?!(amp|lt|gt|quot);)/.exec(text)
  if (stray !== null) throw new Error(`a stray ${stray[0]} in ${text.trim().slice(0, 80)}`)
  return text
}
