/**
 * Listen keys of user streams (user-data-stream.md): at most one active per account, valid for an hour
 * from its last use. Many writers: every gateway, through compare-and-swap on the account's cell.
 *
 *   byte 0                salt          32 random bytes, written by the first gateway
 *   byte 32               salt state    i32
 *   byte 64 + 8 × account expiry, generation  i64: expiry in ms × 2^21 + generation
 *
 * The expiry is in monotonic time, which no step of the clock moves. It is 0 for a key that its owner
 * closed, REVOKED_MS for one that the operator ended.
 *
 * A key is not stored. It is the account and the generation, and a MAC over both that needs the salt.
 * It is active while its generation is the account's and the expiry lies ahead.
 */
import { createHmac, randomFillSync } from 'node:crypto'
import type { ListenKeys } from '../../api/context.ts'
import { elapsedMs, type Time } from '../../base/time.ts'
import { AccountId } from '../../base/units.ts'

const SALT_BYTES = 32
const SALT_STATE = 8
const CELLS_OFFSET = 64
const LIFE_MS = 60 * 60 * 1000
const REVOKED_MS = 1
const GENERATIONS = 2n ** 21n
const KEY_CHARS = 64
/** Account and generation, in digits of base 36, at the beginning of a key. */
const NUMBER_CHARS = 6
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

const SaltState = { MISSING: 0, BEING_WRITTEN: 1, READY: 2 } as const

/** Returns the bytes of shared memory for the keys of accounts 0 to accountsMax - 1. */
export const listenKeyBytes = (accountsMax: number): number => CELLS_OFFSET + 8 * accountsMax

export class SharedListenKeys implements ListenKeys {
  private readonly salt: Buffer
  private readonly cells: BigInt64Array
  private readonly clock: Time

  /** `memory` is zeroed before its first use, and has listenKeyBytes(accountsMax) bytes. */
  constructor(memory: SharedArrayBuffer, clock: Time) {
    this.salt = saltIn(memory, clock)
    this.cells = new BigInt64Array(memory, CELLS_OFFSET)
    this.clock = clock
  }

  start(account: AccountId): string {
    for (;;) {
      const cell = Atomics.load(this.cells, account)
      const before = generationOf(cell)
      const generation = this.isLive(cell) ? before : (before + 1) % Number(GENERATIONS)
      if (this.renew(account, cell, generation)) return this.keyOf(account, generation)
    }
  }

  keepAlive(account: AccountId, key: string): boolean {
    for (;;) {
      const cell = Atomics.load(this.cells, account)
      if (!this.isCurrent(account, key, cell)) return false
      if (this.renew(account, cell, generationOf(cell))) return true
    }
  }

  close(account: AccountId, key: string): boolean {
    for (;;) {
      const cell = Atomics.load(this.cells, account)
      if (!this.isCurrent(account, key, cell)) return false
      const closed = cell % GENERATIONS
      if (Atomics.compareExchange(this.cells, account, cell, closed) === cell) return true
    }
  }

  /** Returns the account of an active key; -1 when it is none. */
  accountOf(key: string): number {
    if (key.length !== KEY_CHARS) return -1
    const account = Number.parseInt(key.slice(0, NUMBER_CHARS), 36)
    if (!(account >= 0 && account < this.cells.length)) return -1
    return this.isCurrent(AccountId(account), key, Atomics.load(this.cells, account)) ? account : -1
  }

  /**
   * Ends the account's key for the operator: its streams report the expiry. The main thread calls it
   * once no gateway accepts the revoked API key.
   */
  revoke(account: AccountId): void {
    for (;;) {
      const cell = Atomics.load(this.cells, account)
      if (!this.isLive(cell)) return
      const revoked = BigInt(REVOKED_MS) * GENERATIONS + (cell % GENERATIONS)
      if (Atomics.compareExchange(this.cells, account, cell, revoked) === cell) return
    }
  }

  /** Whether the operator ended the account's last key. */
  isRevoked(account: AccountId): boolean {
    return this.expiresMs(account) === REVOKED_MS
  }

  /** Returns the expiry of the account's key, in monotonic ms; 0 once it was closed. */
  expiresMs(account: AccountId): number {
    return Number(Atomics.load(this.cells, account) / GENERATIONS)
  }

  private isLive(cell: bigint): boolean {
    return Number(cell / GENERATIONS) > Math.max(REVOKED_MS, elapsedMs(this.clock))
  }

  private isCurrent(account: AccountId, key: string, cell: bigint): boolean {
    return this.isLive(cell) && key === this.keyOf(account, generationOf(cell))
  }

  private renew(account: AccountId, cell: bigint, generation: number): boolean {
    const renewed = BigInt(elapsedMs(this.clock) + LIFE_MS) * GENERATIONS + BigInt(generation)
    return Atomics.compareExchange(this.cells, account, cell, renewed) === cell
  }

  private keyOf(account: AccountId, generation: number): string {
    const number = (value: number) => value.toString(36).padStart(NUMBER_CHARS, '0')
    const open = number(account) + number(generation)
    const mac = createHmac('sha512', this.salt).update(open).digest()
    let key = open
    for (let i = 0; key.length < KEY_CHARS; i++) key += LETTERS[mac[i]! % LETTERS.length]
    return key
  }
}

/** Returns the salt; the first gateway to call it writes it. */
function saltIn(memory: SharedArrayBuffer, time: Time): Buffer {
  const { MISSING, BEING_WRITTEN, READY } = SaltState
  const words = new Int32Array(memory, 0, CELLS_OFFSET >> 2)
  const salt = new Uint8Array(memory, 0, SALT_BYTES)
  if (Atomics.compareExchange(words, SALT_STATE, MISSING, BEING_WRITTEN) === MISSING) {
    randomFillSync(salt)
    Atomics.store(words, SALT_STATE, READY)
    Atomics.notify(words, SALT_STATE)
  }
  while (Atomics.load(words, SALT_STATE) !== READY) time.wait(words, SALT_STATE, BEING_WRITTEN)
  return Buffer.from(salt)
}

const generationOf = (cell: bigint): number => Number(cell % GENERATIONS)
