/** The token of the admin server, in a file that only its owner may read. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileFault } from '../base/file-fault.ts'
import { writeWholeFile } from '../journal/whole-file.ts'

const TOKEN_BYTES = 32
const SCHEME = 'Bearer '

/** Its name in the data folder. */
export const TOKEN_FILE = 'operator-token'
const tokenFile = (dataFolder: string): string => path.join(dataFolder, TOKEN_FILE)

/** Why there is no token, in one sentence for the operator. */
export class TokenError extends Error {
  override readonly name = 'TokenError'
}

/**
 * Reads the token of a data folder; makes one, in a file of mode 0600, where there is none. Throws
 * TokenError when it cannot be read.
 */
export function openToken(dataFolder: string): string {
  const file = tokenFile(dataFolder)
  if (statSync(file, { throwIfNoEntry: false }) === undefined) {
    const token = randomBytes(TOKEN_BYTES).toString('hex')
    writeWholeFile(file, `${token}\n`)
  }
  let token: string
  try {
    token = readToken(dataFolder)
  } catch (error) {
    throw new TokenError(`The token ${file} cannot be read: ${fileFault(error)}.`)
  }
  if (token === '')
    throw new TokenError(`The token ${file} is empty; a start makes one if it is removed.`)
  return token
}

/** Throws the file system's error when it cannot be read. */
export const readToken = (dataFolder: string): string =>
  readFileSync(tokenFile(dataFolder), 'utf8').trim()

/** Longer headers hold no token. */
const HEADER_CHARS_MAX = 256

/** Returns the token of an Authorization header; undefined when it has none. */
export const tokenOf = (header: string | undefined): string | undefined =>
  header?.startsWith(SCHEME) && header.length <= HEADER_CHARS_MAX
    ? header.slice(SCHEME.length)
    : undefined

/** Whether an Authorization header carries the token, in a time that depends on its length alone. */
export function isAuthorized(header: string | undefined, token: string): boolean {
  if (token === '' || !header?.startsWith(SCHEME)) return false
  const given = Buffer.from(header.slice(SCHEME.length))
  const wanted = Buffer.from(token)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
