/** Parts of the line above all panels. */
import type { JSX } from 'preact'
import { theme, toggleTheme } from './theme.ts'

interface BrandProps {
  readonly href: string
  readonly title: string
}

export const Brand = ({ href, title }: BrandProps): JSX.Element => (
  <a class="brand" href={href} title={title}>
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="8.5" />
      <path d="M8 9h8M8 12h5M8 15h7" />
    </svg>
    <span>Ringbook</span>
  </a>
)

/** The licenses of the packages in the page's script: the page names their file. */
export const LicenseLink = (): JSX.Element => {
  const file = document.querySelector('link[rel="license"]')?.getAttribute('href') ?? ''
  return <a href={file}>Licenses</a>
}

export const ThemeButton = (): JSX.Element => (
  <button
    type="button"
    class="icon"
    onClick={toggleTheme}
    aria-label={theme.value === 'dark' ? 'Use light colors' : 'Use dark colors'}
  >
    {theme.value === 'dark' ? '☀' : '☾'}
  </button>
)
