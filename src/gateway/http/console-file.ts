/** Files of the console, read once and kept in memory in every form that a browser may ask for. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export interface ConsoleFile {
  /** Where browsers find it: `/` for the page. */
  readonly path: string
  readonly etag: string
  /** Header lines of every response with it, each begun with CRLF. */
  readonly headers: string
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
const PAGE_HEADERS = [
  'Content-Type: text/html;charset=UTF-8',
  'Cache-Control: no-cache',
  `Content-Security-Policy: ${POLICY}`,
  'Referrer-Policy: no-referrer',
  'Cross-Origin-Opener-Policy: same-origin',
  'Vary: Accept, Accept-Encoding',
]
/** The others have a hash of their bytes in their names: they never change. */
const FILE_HEADERS = ['Cache-Control: public, max-age=31536000, immutable', 'Vary: Accept-Encoding']
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript;charset=UTF-8',
  '.css': 'text/css;charset=UTF-8',
}

/** Reads what the build has put into the folder; none when the console was not built. */
export function readConsoleFiles(folder: string): ConsoleFile[] {
  const names = filesIn(folder)
  return names
    .filter((name) => name === PAGE || TYPES[path.extname(name)] !== undefined)
    .filter((name) => names.includes(`${name}.br`))
    .map((name) => readConsoleFile(folder, name))
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readConsoleFile(folder: string, name: string): ConsoleFile {
  const read = (form: string) => readFileSync(path.join(folder, `${name}${form}`))
  const plain = read('')
  const isPage = name === PAGE
  const type = TYPES[path.extname(name)]
  const lines = isPage ? PAGE_HEADERS : [`Content-Type: ${type}`, ...FILE_HEADERS]
  const etag = `"${createHash('sha256').update(plain).digest('hex').slice(0, 16)}"`
  return {
    path: isPage ? '/' : `${FOLDER}${name}`,
    etag,
    headers: [...lines, `ETag: ${etag}`, 'X-Content-Type-Options: nosniff']
      .map((line) => `\r\n${line}`)
      .join(''),
    ...{ plain, brotli: read('.br'), gzip: read('.gz') },
  }
}
