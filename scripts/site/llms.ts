/** The documents for language models: an index (llms.txt), and everything in one text (llms-full.txt). */
import type { NavigationGroup } from './layout.ts'

const ABOUT = [
  '# Ringbook',
  '',
  "> A self-hosted spot exchange that speaks Binance's spot API: REST, WebSocket streams, WebSocket API.",
  '',
  'Paths below are of the exchange that served this file. `/openapi.json` has every REST operation.',
  '`/docs/llms-full.txt` has the text of all pages.',
]

export const llmsIndex = (groups: readonly NavigationGroup[]): string =>
  `${[
    ...ABOUT,
    ...groups.flatMap(({ title, links }) => [
      ...['', `## ${title}`, ''],
      ...links.map((link) => `- [${link.title}](${link.address})`),
    ]),
  ].join('\n')}\n`

/** Each page's Markdown behind its address. */
export const llmsFull = (pages: readonly (readonly [address: string, text: string])[]): string =>
  `${pages.map(([address, text]) => `<!-- ${address} -->\n\n${text.trim()}\n`).join('\n')}`
