/** The field that searches, and the list below it. */
import type { Found, Piece, Search } from './search.ts'

const element = <E extends HTMLElement>(id: string) => document.getElementById(id) as E | null

export function beginSearch(search: Search): void {
  const form = element<HTMLFormElement>('search')
  const query = element<HTMLInputElement>('query')
  const found = element('found')
  if (form === null || query === null || found === null) return
  let asked = 0
  const ask = async () => {
    const number = ++asked
    const words = query.value.trim()
    const rows = words === '' ? [] : await search.find(words)
    if (number === asked) show(found, words, rows)
  }
  query.addEventListener('input', () => void ask())
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    found.querySelector('a')?.click()
  })
  form.addEventListener('keydown', (event) => move(event, query, found))
  document.addEventListener('keydown', (event) => {
    const isTyping = (event.target as Element).matches('input, textarea, select')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    query.focus()
  })
  document.addEventListener('click', ({ target }) => {
    if (!form.contains(target as Node)) found.hidden = true
  })
}

function show(found: HTMLElement, words: string, rows: readonly Found[]): void {
  found.replaceChildren(...(rows.length === 0 ? [nothing(words)] : [listOf(rows)]))
  found.hidden = words === ''
}

function nothing(words: string): HTMLElement {
  const line = document.createElement('p')
  line.setAttribute('role', 'status')
  line.textContent = `No page has “${words}”.`
  return line
}

function listOf(rows: readonly Found[]): HTMLElement {
  const list = document.createElement('ul')
  list.setAttribute('aria-label', 'Found')
  for (const { address, title, excerpt } of rows) {
    const link = document.createElement('a')
    link.href = address
    const head = document.createElement('b')
    head.textContent = title
    const text = document.createElement('span')
    text.append(...excerpt.map(nodeOf))
    link.append(head, text)
    const item = document.createElement('li')
    item.append(link)
    list.append(item)
  }
  return list
}

function nodeOf({ text, isMarked }: Piece): Node {
  const node = isMarked ? document.createElement('mark') : document.createTextNode('')
  node.textContent = text
  return node
}

/** Arrows open the list, and go through the field and the links. Escape closes it. */
function move(event: KeyboardEvent, query: HTMLElement, found: HTMLElement): void {
  if (event.key === 'Escape') {
    found.hidden = true
    query.focus()
    return
  }
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0 || found.childElementCount === 0) return
  found.hidden = false
  const stops = [query, ...found.querySelectorAll('a')]
  const at = stops.indexOf(document.activeElement as HTMLElement)
  stops[Math.min(Math.max(at + step, 0), stops.length - 1)]?.focus()
  event.preventDefault()
}
