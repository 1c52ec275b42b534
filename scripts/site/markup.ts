/** Markdown as parts of a page: its sections, each with its heading's anchor, and links between pages. */
import path from 'node:path'
import { Marked, type Token, type Tokens } from 'marked'
import { anchorOf } from '../generate-api-docs.ts'

export interface Section {
  /** '' above the first heading. */
  readonly anchor: string
  readonly heading: string
  /** 1 for the page's title; 0 where there is no heading. */
  readonly depth: number
  readonly html: string
}

export const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

/** Returns what a reader sees of a piece of a page, on one line. */
export const plainText = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(lt|gt|quot|#39|amp);/g, (it) => entities[it]!)
    .replaceAll(/\s+/g, ' ')
    .trim()

/** A picture as the site serves it. */
export interface Picture {
  readonly address: string
  readonly width: number
  readonly height: number
}

export interface Surroundings {
  /** From the project's root. */
  readonly file: string
  /** The address of each file that is a page. */
  readonly addresses: ReadonlyMap<string, string>
  readonly pictures: ReadonlyMap<string, Picture>
}

/** Returns the address of a link in a file; undefined where it leads to a file that is no page. */
export function linkAddress(
  { file, addresses }: Pick<Surroundings, 'file' | 'addresses'>,
  href: string,
): string | undefined {
  if (/^[a-z]+:/.test(href)) return href
  const [target = '', anchor] = href.split('#')
  const end = anchor === undefined ? '' : `#${anchor}`
  if (target === '') return end
  const other = path.posix.join(path.posix.dirname(file), target).replace(/\/$/, '')
  const address = addresses.get(other) ?? addresses.get(`${other}/README.md`)
  return address === undefined ? undefined : `${address}${end}`
}

function rendererOf(surroundings: Surroundings): Marked {
  const { file, pictures } = surroundings
  return new Marked({
    renderer: {
      html: () => '',
      link({ href, tokens }: Tokens.Link): string {
        const text = this.parser.parseInline(tokens)
        const address = linkAddress(surroundings, href)
        if (address === undefined) return `<span class="source">${text}</span>`
        const more = /^[a-z]+:/.test(address) ? ' rel="noreferrer"' : ''
        return `<a href="${escaped(address)}"${more}>${text}</a>`
      },
      image({ href, text }: Tokens.Image): string {
        const picture = pictures.get(path.posix.join(path.posix.dirname(file), href))
        if (picture === undefined) return escaped(text)
        const { address, width, height } = picture
        const size = `width="${width}" height="${height}"`
        return `<img src="${address}" alt="${escaped(text)}" ${size} loading="lazy">`
      },
      code: ({ text, lang }: Tokens.Code): string => codeBlock(text, lang ?? ''),
      table(this, token: Tokens.Table): string {
        const cells = (row: Tokens.TableCell[], tag: string) =>
          row.map((it) => `<${tag}>${this.parser.parseInline(it.tokens)}</${tag}>`).join('')
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')
        // Scrolls by itself where it is wide, by keys too.
        return (
          `<div class="wide-part" tabindex="0"><table><thead><tr>${cells(token.header, 'th')}` +
          `</tr></thead><tbody>${rows}</tbody></table></div>`
        )
      },
    },
  })
}

/** A block of code; it scrolls by keys where it is wide. */
export const codeBlock = (text: string, language: string): string =>
  `<pre tabindex="0"${language === '' ? '' : ` data-language="${escaped(language)}"`}><code>` +
  `${escaped(text)}</code></pre>`

/** Splits a page at its headings. */
export function sectionsOf(text: string, surroundings: Surroundings): readonly Section[] {
  const marked = rendererOf(surroundings)
  const seen = new Map<string, number>()
  const parts: { heading: Tokens.Heading | undefined; tokens: Token[] }[] = []
  for (const token of marked.lexer(text)) {
    if (token.type === 'heading') parts.push({ heading: token as Tokens.Heading, tokens: [] })
    else {
      if (parts.length === 0) parts.push({ heading: undefined, tokens: [] })
      parts.at(-1)!.tokens.push(token)
    }
  }
  return parts.map(({ heading, tokens }) => {
    const html = marked.parser(tokens)
    if (heading === undefined) return { anchor: '', heading: '', depth: 0, html }
    const anchor = anchorOf(heading.text)
    const count = seen.get(anchor) ?? 0
    seen.set(anchor, count + 1)
    const own = count === 0 ? anchor : `${anchor}-${count}`
    const words = marked.parseInline(heading.text) as string
    return { anchor: own, heading: plainText(words), depth: heading.depth, html }
  })
}
