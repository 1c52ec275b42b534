/** Messages of SBE with bytes changed, cut and repeated: ringbook/sbe reads one, or throws its error. */

import { listTemplates, rowTemplates } from '../../src/api/sbe/answer-templates.ts'
import { sbeOf } from '../../src/api/sbe/sbe.ts'
import type { Prng } from '../../src/base/prng.ts'
import { decode, SbeError } from '../../src/sbe.ts'
import { RandomRows } from '../fixtures/random-rows.ts'
import type { FuzzTarget } from './target.ts'

const rows = [...rowTemplates.keys()]
const lists = [...listTemplates.keys()]

function message(prng: Prng): Buffer {
  const random = new RandomRows(prng)
  const answer = prng.chance(0.6) ? random.one(prng.pick(rows)) : random.many(prng.pick(lists))
  return Buffer.from(sbeOf(5, answer))
}

function damaged(prng: Prng): Buffer {
  let bytes = message(prng)
  for (let left = prng.between(0, 4); left > 0 && bytes.length > 0; left--) {
    const at = prng.below(bytes.length)
    const dice = prng.below(5)
    if (dice === 0) bytes[at]! ^= 1 << prng.below(8)
    else if (dice === 1) bytes[at] = prng.pick([0, 1, 0x7f, 0x80, 0xff])
    else if (dice === 2) bytes = bytes.subarray(0, at)
    else if (dice === 3) bytes.subarray(at, at + prng.between(1, 8)).fill(0xff)
    else bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(prng.below(bytes.length))])
  }
  return bytes
}

export const messages: FuzzTarget = {
  name: 'messages of SBE',
  group: 'messages',
  run(prng) {
    const bytes = damaged(prng)
    try {
      decode(bytes)
    } catch (error) {
      if (error instanceof SbeError) return
      throw new Error(`message ${bytes.toString('hex')}`, { cause: error })
    }
  },
}
