/** Dark or light: the system's choice until the user makes one, which the browser remembers. */
import { signal } from '@preact/signals'
import { requestFrame } from './frames.ts'

export type Theme = 'dark' | 'light'

/** Colors that canvases draw with, named as in theme.css. */
const COLORS = [
  ...[
    'ground',
    'panel',
    'raised',
    'line',
    'ink',
    'quiet',
    'faint',
    'up',
    'down',
    'up-bar',
    'down-bar',
  ],
  ...['accent', 'up-mark', 'down-mark', 'a', 'b', 'c', 'd', 'e', 'f'],
] as const
export type Palette = Readonly<Record<(typeof COLORS)[number], string>>

const KEPT = 'theme'
const systemIsLight = matchMedia('(prefers-color-scheme: light)')

const systemTheme = (): Theme => (systemIsLight.matches ? 'light' : 'dark')

function keptTheme(): Theme | undefined {
  const kept = localStorage.getItem(KEPT)
  return kept === 'dark' || kept === 'light' ? kept : undefined
}

export const theme = signal<Theme>(keptTheme() ?? systemTheme())
let palette: Palette | undefined

function apply(): void {
  document.documentElement.dataset.theme = theme.value
  palette = undefined
  requestFrame()
}

apply()
systemIsLight.addEventListener('change', () => {
  if (keptTheme() !== undefined) return
  theme.value = systemTheme()
  apply()
})

export function toggleTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark'
  localStorage.setItem(KEPT, theme.value)
  apply()
}

/** Returns the colors of the theme that is shown. */
export function colors(): Palette {
  if (palette === undefined) {
    const style = getComputedStyle(document.documentElement)
    const entries = COLORS.map((name) => [name, style.getPropertyValue(`--${name}`).trim()])
    palette = Object.fromEntries(entries) as Palette
  }
  return palette
}
