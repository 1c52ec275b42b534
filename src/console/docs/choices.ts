/** Dark or light, and the list of pages on narrow screens. The choice of colors is the console's. */
const KEPT = 'theme'

export function beginChoices(): void {
  const root = document.documentElement
  const kept = localStorage.getItem(KEPT)
  if (kept === 'dark' || kept === 'light') root.dataset.theme = kept
  document.getElementById('theme')?.addEventListener('click', () => {
    const system = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
    const next = (root.dataset.theme ?? system) === 'dark' ? 'light' : 'dark'
    root.dataset.theme = next
    localStorage.setItem(KEPT, next)
  })
  const menu = document.getElementById('menu')
  menu?.addEventListener('click', () => {
    const isOpen = root.classList.toggle('pages-open')
    menu.setAttribute('aria-expanded', String(isOpen))
  })
}
