/** The search over all sections of the documents: read and indexed at the first use. */
import MiniSearch from 'minisearch'

interface Section {
  readonly page: string
  readonly heading: string
  readonly address: string
  readonly text: string
}

interface Sections {
  readonly sections: readonly Section[]
  /** Where anchors lead that the first page once had. */
  readonly operations: Readonly<Record<string, string>>
}

export interface Found {
  readonly address: string
  readonly title: string
  /** What stands around the first word that was found. */
  readonly excerpt: string
}

const FOUND_MAX = 12
const EXCERPT_CHARS = 140
const BEFORE_CHARS = 40

export class Search {
  private readonly address: string
  private read: Promise<Sections> | undefined = undefined
  private index: MiniSearch | undefined = undefined

  /** Nothing is loaded before it is needed. */
  constructor(address: string) {
    this.address = address
  }

  async find(query: string): Promise<readonly Found[]> {
    const { sections } = await this.sections()
    this.index ??= indexOf(sections)
    const options = { prefix: true, fuzzy: 0.15, combineWith: 'AND' as const }
    return this.index
      .search(query, { ...options, boost: { heading: 4, page: 2 } })
      .slice(0, FOUND_MAX)
      .map(({ id, terms }) => foundIn(sections[id as number]!, terms))
  }

  /** Returns where an old anchor leads; undefined for others. */
  async addressOfAnchor(anchor: string): Promise<string | undefined> {
    return (await this.sections()).operations[anchor]
  }

  private sections(): Promise<Sections> {
    this.read ??= fetch(this.address).then((response) => response.json() as Promise<Sections>)
    return this.read
  }
}

function indexOf(sections: readonly Section[]): MiniSearch {
  const index = new MiniSearch({ fields: ['heading', 'page', 'text'] })
  index.addAll(sections.map((section, id) => ({ ...section, id })))
  return index
}

function foundIn({ page, heading, address, text }: Section, terms: readonly string[]): Found {
  const lower = text.toLowerCase()
  const places = terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0)
  const begin = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - BEFORE_CHARS)
  const title = heading === '' || heading === page ? page : `${page}: ${heading}`
  const excerpt = `${begin > 0 ? '… ' : ''}${text.slice(begin, begin + EXCERPT_CHARS)}`
  return { address, title, excerpt }
}
