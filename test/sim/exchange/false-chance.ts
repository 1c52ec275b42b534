/**
 * False chance for a whole exchange: what it draws at random, keys and ids, follows from the seed as
 * everything else does.
 */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { Prng } from '../../../src/base/prng.ts'

/** Not the simulation's own numbers. */
const OTHER = 0x5eed

type Members = 'randomBytes' | 'randomInt' | 'randomUUID'

export class FalseChance {
  private readonly real: Pick<typeof crypto, Members>

  /** Takes chance over, until `leave`. */
  constructor(seed: number) {
    const { randomBytes, randomInt, randomUUID } = crypto
    this.real = { randomBytes, randomInt, randomUUID }
    const prng = new Prng(seed ^ OTHER)
    const bytes = (count: number) =>
      Buffer.from(Array.from({ length: count }, () => prng.below(256)))
    this.install({
      randomBytes: bytes,
      randomInt: (first: number, second?: number) =>
        second === undefined ? prng.below(first) : first + prng.below(second - first),
      randomUUID: () => {
        const hex = bytes(16).toString('hex')
        return [8, 12, 16, 20, 32]
          .map((end, at) => hex.slice([0, 8, 12, 16, 20][at], end))
          .join('-')
      },
    })
  }

  leave(): void {
    this.install(this.real)
  }

  private install(members: object): void {
    Object.assign(crypto, members)
    syncBuiltinESMExports()
  }
}
