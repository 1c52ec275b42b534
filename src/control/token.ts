/** The token of the admin server, in a file that only its owner may read. */
import { timingSafeEqual } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileFault } from '../base/file-fault.ts'
import type { Clock } from '../base/time.ts'
import { writeWholeFile } from '../journal/whole-file.ts'
import { type EarlierToken, goodTokens, hashToken, newToken, replacedToken } from './operators.ts'

const SCHEME = 'Bearer '

/** Its name in the data folder. */
export const TOKEN_FILE = 'operator-token'
/** Beside it: hashes of tokens that it had before, with the ends of their times, as JSON. */
const EARLIER_FILE = 'operator-token-earlier'
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
    writeWholeFile(file, `${newToken()}\n`)
  }
  let token: string
  try {
    token = readToken(dataFolder)
  } catch (error) {
    throw new TokenError(`The token ${file} cannot be read: ${fileFault(error)}.`)
  }
  if (token === '')
    throw new TokenError(`The token ${file} is empty; a start makes one if it is removed.`)
  if (!CARRIED.test(token))
    throw new TokenError(`The token ${file} is damaged; a start makes one if it is removed.`)
  return token
}

/** Throws the file system's error when it cannot be read. */
export const readToken = (dataFolder: string): string =>
  readFileSync(tokenFile(dataFolder), 'utf8').trim()

/** What a header can carry. */
const CARRIED = /^[\x21-\x7e]+$/
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

/**
 * The owner's token of an exchange that runs, with those before it that are good for a while. They belong to this
 * folder alone: other members of a quorum have tokens of their own.
 */
export class OwnerToken {
  private readonly dataFolder: string
  /** The wall clock: a virtual one may stand still. */
  private readonly clock: Pick<Clock, 'nowMs'>
  private token: string
  private earlier: readonly EarlierToken[]

  /** Throws TokenError when the token cannot be read. */
  constructor(dataFolder: string, clock: Pick<Clock, 'nowMs'>) {
    this.dataFolder = dataFolder
    this.clock = clock
    this.token = openToken(dataFolder)
    this.earlier = readEarlier(dataFolder)
  }

  /** Whether an Authorization header carries the token, or an earlier one in its time. */
  accepts(header: string | undefined): boolean {
    if (isAuthorized(header, this.token)) return true
    const token = tokenOf(header)
    if (token === undefined || this.earlier.length === 0) return false
    const hash = hashToken(token)
    return this.earlierTokens().some(({ tokenHash }) => tokenHash === hash)
  }

  /** Returns those that are good now. */
  earlierTokens(): readonly EarlierToken[] {
    return goodTokens(this.earlier, this.clock.nowMs())
  }

  /**
   * Puts a new token into the file; the one before is good until then. Both are on the disk when it returns. The
   * hash of the one before is written first: a crash between the files leaves it good. Throws the file system's error;
   * the token of the file is in force then, too.
   */
  rotate(untilMs: number): void {
    const replaced = { tokenHash: hashToken(this.token), untilMs }
    const isAtOnce = untilMs <= this.clock.nowMs()
    const earlier = isAtOnce ? [] : replacedToken(this.earlier, replaced, this.clock.nowMs())
    writeWholeFile(path.join(this.dataFolder, EARLIER_FILE), JSON.stringify(earlier))
    this.earlier = earlier
    try {
      writeWholeFile(tokenFile(this.dataFolder), `${newToken()}\n`)
    } finally {
      // A flush that was refused may leave the new one in the file, where clients find it.
      this.token = readToken(this.dataFolder)
    }
  }
}

/** None of them is good where they cannot be read: that ends the times of old tokens, and no more. */
function readEarlier(dataFolder: string): readonly EarlierToken[] {
  try {
    const rows: unknown = JSON.parse(readFileSync(path.join(dataFolder, EARLIER_FILE), 'utf8'))
    return Array.isArray(rows) ? rows.filter(isEarlier) : []
  } catch {
    return []
  }
}

const isEarlier = (row: Partial<EarlierToken> | null): row is EarlierToken =>
  typeof row?.tokenHash === 'string' && typeof row.untilMs === 'number'
