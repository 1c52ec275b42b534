/** Files of a page for browsers, read once and kept in memory in every form that a browser may ask for. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** A header line's name and value. */
export type HeaderLine = readonly [name: string, value: string]

export interface PageFile {
  /** Where browsers find it: `/` for the page. */
  readonly path: string
  readonly etag: string
  /** Of every response with it. */
  readonly headers: readonly HeaderLine[]
  readonly plain: Buffer
  readonly brotli: Buffer
  readonly gzip: Buffer
}

const PAGE = 'index.html'
const FOLDER = '/console/'
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
  ['Content-Type', 'text/html;charset=UTF-8'],
  ['Cache-Control', 'no-cache'],
  ['Content-Security-Policy', POLICY],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Vary', 'Accept, Accept-Encoding'],
]
/** The others have a hash of their bytes in their names: they never change. */
const FILE_HEADERS: readonly HeaderLine[] = [
  ['Cache-Control', 'public, max-age=31536000, immutable'],
  ['Vary', 'Accept-Encoding'],
]
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript;charset=UTF-8',
  '.css': 'text/css;charset=UTF-8',
}

/** Reads what the build has put into the folder; none when the page was not built. */
export function readPageFiles(folder: string): PageFile[] {
  const names = filesIn(folder)
  return names
    .filter((name) => name === PAGE || TYPES[path.extname(name)] !== undefined)
    .filter((name) => names.includes(`${name}.br`))
    .map((name) => readPageFile(folder, name))
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readPageFile(folder: string, name: string): PageFile {
  const read = (form: string) => readFileSync(path.join(folder, `${name}${form}`))
  const plain = read('')
  const isPage = name === PAGE
  const type = TYPES[path.extname(name)]!
  const lines: readonly HeaderLine[] = isPage
    ? PAGE_HEADERS
    : [['Content-Type', type], ...FILE_HEADERS]
  const etag = `"${createHash('sha256').update(plain).digest('hex').slice(0, 16)}"`
  return {
    path: isPage ? '/' : `${FOLDER}${name}`,
    etag,
    headers: [...lines, ['ETag', etag], ['X-Content-Type-Options', 'nosniff']],
    ...{ plain, brotli: read('.br'), gzip: read('.gz') },
  }
}

/** Whether `If-None-Match` names the file's present bytes. */
export const isKnown = (knownTags: string, { etag }: PageFile): boolean =>
  knownTags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)

/** Returns the smallest form that the client takes, and its encoding; '' for the plain one. */
export function formOf(
  acceptEncoding: string,
  { plain, brotli, gzip }: PageFile,
): readonly [encoding: 'br' | 'gzip' | '', bytes: Buffer] {
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
