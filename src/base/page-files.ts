/** Files of pages for browsers, read once and kept in memory in every form that a browser may request. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

/** A header line's name and value. */
export type HeaderLine = readonly [name: string, value: string]

export interface PageFile {
  /** Where browsers find it: `/` for the page. */
  readonly path: string
  readonly etag: string
  /** Header lines of every response with this file. */
  readonly headers: readonly HeaderLine[]
  readonly plain: Buffer
  readonly brotli: Buffer
  readonly gzip: Buffer
}

const INDEX = 'index.html'
const PAGE = '.html'
/** Texts are read by people and programs, at addresses that stay. */
const TEXT = '.txt'

/** Where browsers find the files of a folder. */
export interface PageRoot {
  /** The address of index.html. */
  readonly index: string
  /** What stands before the names of the others; a page's address lacks the ending of its file. */
  readonly folder: string
  /** Whether folders below have pages of the same place. */
  readonly isDeep: boolean
}

const CONSOLE_ROOT: PageRoot = { index: '/', folder: '/console/', isDeep: false }
export const DOCS_ROOT: PageRoot = { index: '/docs', folder: '/docs/', isDeep: true }
/** Nothing but files of this address runs or loads, and no other page may show this one. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
const PAGE_HEADERS: readonly HeaderLine[] = [
  ['Cache-Control', 'no-cache'],
  ['Content-Security-Policy', POLICY],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Vary', 'Accept, Accept-Encoding'],
]
const TEXT_HEADERS: readonly HeaderLine[] = [
  ['Cache-Control', 'no-cache'],
  ['Vary', 'Accept-Encoding'],
]
/** The others have a hash of their bytes in their names: they never change. */
const FILE_HEADERS: readonly HeaderLine[] = [
  ['Cache-Control', 'public, max-age=31536000, immutable'],
  ['Vary', 'Accept-Encoding'],
]
const TYPES: Readonly<Record<string, string>> = {
  [PAGE]: 'text/html;charset=UTF-8',
  [TEXT]: 'text/plain;charset=UTF-8',
  '.js': 'text/javascript;charset=UTF-8',
  '.css': 'text/css;charset=UTF-8',
  '.json': 'application/json;charset=UTF-8',
  '.png': 'image/png',
}
/** Types that are compressed in themselves. */
const COMPRESSED = ['.png']

/**
 * Reads what the build has put into the folder; none when nothing was built. Each gateway of a start reads the 500 files
 * of the documents: with node:path, or a folder that Node.js reads recursively, V8 would compile all that for speed.
 */
export function readPageFiles(folder: string, root: PageRoot = CONSOLE_ROOT): PageFile[] {
  const names = new Set(filesIn(folder, root.isDeep))
  return [...names]
    .filter((name) => TYPES[endingOf(name)] !== undefined)
    .filter((name) => isCompressed(name) || names.has(`${name}.br`))
    .map((name) => readPageFile(folder, name, root))
}

const endingOf = (name: string): string => name.slice(name.lastIndexOf('.'))
const isCompressed = (name: string) => COMPRESSED.includes(endingOf(name))

/** Returns names as from the folder. */
function filesIn(folder: string, isDeep: boolean, below = ''): string[] {
  try {
    return readdirSync(`${folder}/${below}`, { withFileTypes: true }).flatMap((entry) => {
      if (!entry.isDirectory()) return `${below}${entry.name}`
      return isDeep ? filesIn(folder, isDeep, `${below}${entry.name}/`) : []
    })
  } catch {
    return []
  }
}

function readPageFile(folder: string, name: string, root: PageRoot): PageFile {
  const plain = readFileSync(`${folder}/${name}`)
  const read = (form: string) =>
    isCompressed(name) ? plain : readFileSync(`${folder}/${name}${form}`)
  const etag = `"${createHash('sha256').update(plain).digest('hex').slice(0, 16)}"`
  const lines = [['Content-Type', TYPES[endingOf(name)]!] as const, ...headersOf(name)]
  return {
    path: addressOf(name, root),
    etag,
    headers: [...lines, ['ETag', etag], ['X-Content-Type-Options', 'nosniff']],
    plain,
    brotli: read('.br'),
    gzip: read('.gz'),
  }
}

function headersOf(name: string): readonly HeaderLine[] {
  if (name.endsWith(PAGE)) return PAGE_HEADERS
  return name.endsWith(TEXT) ? TEXT_HEADERS : FILE_HEADERS
}

function addressOf(name: string, { index, folder }: PageRoot): string {
  if (name === INDEX) return index
  return `${folder}${name.endsWith(PAGE) ? name.slice(0, -PAGE.length) : name}`
}

/** Whether `If-None-Match` names the file's present bytes. */
export const isKnown = (knownTags: string, { etag }: PageFile): boolean =>
  knownTags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)

/** Returns the smallest form that the client takes, and its encoding; '' for the plain one. */
export function formOf(
  acceptEncoding: string,
  { plain, brotli, gzip }: PageFile,
): readonly [encoding: 'br' | 'gzip' | '', bytes: Buffer] {
  if (plain === brotli) return ['', plain]
  if (takes(acceptEncoding, 'br')) return ['br', brotli]
  if (takes(acceptEncoding, 'gzip')) return ['gzip', gzip]
  return ['', plain]
}

/** Whether `Accept-Encoding` names the encoding, with a weight other than zero. */
const takes = (encodings: string, wanted: string): boolean =>
  encodings.split(',').some((part) => {
    const [name = '', ...weights] = part.split(';').map((it) => it.trim())
    return name === wanted && !weights.some((weight) => /^q=0(\.0*)?$/.test(weight))
  })
