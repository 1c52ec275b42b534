/** The search over all sections of the documents: read and indexed at the first use. */
import MiniSearch, { type Query } from 'minisearch'
import { expanded, isNumber, stemOf, wordsOf } from './search-words.ts'

export interface Section {
  readonly page: string
  readonly heading: string
  readonly address: string
  readonly text: string
}

export interface Sections {
  readonly sections: readonly Section[]
  /** Where anchors lead that the first page once had. */
  readonly operations: Readonly<Record<string, string>>
}

/** A piece of an excerpt; a word that was found is marked. */
export interface Piece {
  readonly text: string
  readonly isMarked: boolean
}

export interface Found {
  readonly address: string
  readonly title: string
  /** What stands around the first word that was found. */
  readonly excerpt: readonly Piece[]
}

const FOUND_MAX = 12
const OF_A_PAGE_MAX = 3
const EXCERPT_CHARS = 140
const BEFORE_CHARS = 40
/** Shorter words begin too many others, or are one letter away from them. */
const PREFIX_CHARS = 4
const FUZZY_CHARS = 5
const FUZZY = 0.15
const SYNONYM_WEIGHT = 0.6
/** Weights of pages by the beginnings of their addresses; the first that fits counts. Others have 1. */
const weights: readonly (readonly [beginning: string, weight: number])[] = [
  ['/docs/guides', 2],
  ['/docs/decisions', 0.1],
  ['/docs/lessons', 0.6],
  ['/docs/api', 0.7],
  ['/docs/examples', 0.3],
  ['/docs/records', 0.2],
  ['/docs/architecture', 0.2],
  ['/docs/testing', 0.2],
  ['/docs/benchmarks', 0.2],
  ['/docs/promises', 0.4],
  ['/docs/bounds', 0.4],
  ['/docs/journal', 0.4],
]

export class Search {
  private readonly load: () => Promise<Sections>
  private read: Promise<Sections> | undefined = undefined
  private index: MiniSearch | undefined = undefined

  /** Nothing is loaded before it is needed. */
  constructor(load: () => Promise<Sections>) {
    this.load = load
  }

  /** Returns the sections that have all words of the query, then those that have some. */
  async find(query: string): Promise<readonly Found[]> {
    const { sections } = await this.sections()
    this.index ??= indexOf(sections)
    const queries = queriesOf(query)
    const all = this.index.search({ combineWith: 'AND', queries })
    const some = queries.length > 1 ? this.index.search({ combineWith: 'OR', queries }) : []
    const terms = new Map([...some, ...all].map((it) => [it.id as number, it.terms]))
    const order = new Set([...all, ...some].map(({ id }) => id as number))
    return firstOf([...order], sections).map((id) => foundIn(sections[id]!, terms.get(id)!))
  }

  /** Returns where an old anchor leads; undefined for others. */
  async addressOfAnchor(anchor: string): Promise<string | undefined> {
    return (await this.sections()).operations[anchor]
  }

  private sections(): Promise<Sections> {
    this.read ??= this.load()
    return this.read
  }
}

function indexOf(sections: readonly Section[]): MiniSearch {
  const index = new MiniSearch({
    fields: ['heading', 'page', 'text'],
    tokenize: wordsOf,
    processTerm: stemOf,
    searchOptions: {
      boost: { heading: 4, page: 2 },
      boostDocument: (id) => weightOf(sections[id as number]!),
    },
  })
  index.addAll(sections.map((section, id) => ({ ...section, id })))
  return index
}

const weightOf = ({ address }: Section): number =>
  weights.find(([beginning]) => address.startsWith(beginning))?.[1] ?? 1

/** A query for each word: the word, or a synonym at a lower weight. */
function queriesOf(query: string): Query[] {
  const words = expanded(query)
  return words.map((synonyms, at) => ({
    combineWith: 'OR',
    queries: synonyms.map((word, place) => ({
      queries: [word],
      boostTerm: () => (place === 0 ? 1 : SYNONYM_WEIGHT),
      // The last word may be typed half.
      prefix: (term) => place === 0 && (at === words.length - 1 || term.length >= PREFIX_CHARS),
      fuzzy: (term) =>
        place === 0 && term.length >= FUZZY_CHARS && !isNumber(term) ? FUZZY : false,
    })),
  }))
}

/** The first that are shown: a page alone does not fill the list. */
function firstOf(ids: readonly number[], sections: readonly Section[]): readonly number[] {
  const counts = new Map<string, number>()
  return ids
    .filter((id) => {
      const { page } = sections[id]!
      const count = (counts.get(page) ?? 0) + 1
      counts.set(page, count)
      return count <= OF_A_PAGE_MAX
    })
    .slice(0, FOUND_MAX)
}

function foundIn({ page, heading, address, text }: Section, terms: readonly string[]): Found {
  const title = heading === '' || heading === page ? page : `${page}: ${heading}`
  return { address, title, excerpt: excerptOf(text, new Set(terms)) }
}

const WORD = /[^\p{Z}\p{P}]+/gu

function excerptOf(text: string, terms: ReadonlySet<string>): readonly Piece[] {
  const words = [...text.matchAll(WORD)].filter(([word]) => terms.has(stemOf(word)))
  const begin = Math.max(0, (words[0]?.index ?? 0) - BEFORE_CHARS)
  const end = begin + EXCERPT_CHARS
  const pieces: Piece[] = begin > 0 ? [{ text: '… ', isMarked: false }] : []
  let at = begin
  for (const { 0: word, index } of words) {
    if (index + word.length > end) break
    pieces.push({ text: text.slice(at, index), isMarked: false }, { text: word, isMarked: true })
    at = index + word.length
  }
  return [...pieces, { text: text.slice(at, end), isMarked: false }]
}
