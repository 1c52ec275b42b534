/** What is fuzzed within one process: each target takes one random input and throws when it misbehaves. */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { crc32 } from 'node:zlib'
import { EventStream } from '../../bench/workloads/event-stream.ts'
import { Prng } from '../../src/base/prng.ts'
import { Ms, SymbolId } from '../../src/base/units.ts'
import { ConfigError, parseConfig, settings } from '../../src/config/config.ts'
import {
  BLOCK_HEADER_BYTES,
  BlockReader,
  BlockWriter,
  JournalDamage,
  LayoutError,
} from '../../src/journal/block.ts'
import { BEGINNING, BlockChain } from '../../src/journal/chain.ts'
import { fileTargets } from './files.ts'
import { messages } from './messages.ts'
import type { FuzzTarget } from './target.ts'

const flags = Object.values(settings).map(({ flag }) => flag)
const tomlParts = [
  ...['=', '[', ']', '{', '}', '"', "'", '"""', '.', ',', '#', '\n', '\r\n', '\\u0000', '\\', ' '],
  ...['true', 'false', 'inf', 'nan', '-1', '0', '1e400', '9007199254740993', '0x10', '1979-05-27'],
  ...['__proto__', 'constructor', 'toString', '\u0000', '\ud800', 'é', '"on"', '"off"', '{a=1}'],
]

/** A settings file is taken, or refused by a ConfigError; nothing else. */
const config: FuzzTarget = {
  name: 'settings',
  group: 'settings',
  run(prng) {
    let text = ''
    for (let left = prng.between(0, 12); left > 0; left--) {
      text += prng.chance(0.5)
        ? `${prng.pick(flags)} = ${prng.pick(tomlParts)}\n`
        : prng.pick(tomlParts)
    }
    try {
      parseConfig(['--config', 'file'], {}, () => text)
    } catch (error) {
      if (error instanceof ConfigError) return
      throw new Error(`settings ${JSON.stringify(text)}`, { cause: error })
    }
  },
}

const CHECKSUM_AT = 4
const CHECKED_FROM = 8
const block = sealedBlock()

function sealedBlock(): Buffer {
  const stream = new EventStream(1)
  stream.reset()
  for (let i = 0; i < 10; i++) stream.step(SymbolId(0))
  const writer = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
  return Buffer.from(writer.seal(stream.events, stream.end, 1, Ms(1)))
}

function damaged(prng: Prng): Buffer {
  let bytes = Buffer.from(block)
  for (let left = prng.between(1, 4); left > 0 && bytes.length > 0; left--) {
    const at = prng.below(
      prng.chance(0.5) ? Math.min(BLOCK_HEADER_BYTES, bytes.length) : bytes.length,
    )
    const dice = prng.below(4)
    if (dice === 0) bytes[at]! ^= 1 << prng.below(8)
    else if (dice === 1) bytes[at] = prng.below(256)
    else if (dice === 2) bytes = bytes.subarray(0, at)
    else bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(prng.below(bytes.length))])
  }
  return Buffer.from(bytes)
}

/** Bytes of a journal are the block that was written, or damage; nothing else. */
const journal: FuzzTarget = {
  name: 'journal blocks',
  group: 'journal',
  run(prng) {
    const bytes = damaged(prng)
    const reader = new BlockReader()
    try {
      reader.open(bytes, 'A block')
      new BlockChain(0, BEGINNING).check(reader, 'A block')
    } catch (error) {
      if (error instanceof JournalDamage) return
      throw new Error(`block ${bytes.toString('hex')}`, { cause: error })
    }
    deepStrictEqual(bytes, block, 'what is taken is what was written')
  },
}

/** Damaged blocks whose checksum matches: their records must fill the block exactly. */
const sealedJournal: FuzzTarget = {
  name: 'sealed journal blocks',
  group: 'journal',
  run(prng) {
    const bytes = damaged(prng)
    if (bytes.length > CHECKED_FROM) {
      bytes.writeInt32LE(crc32(bytes.subarray(CHECKED_FROM)) | 0, CHECKSUM_AT)
    }
    const reader = new BlockReader()
    try {
      reader.open(bytes, 'A block')
    } catch (error) {
      if (error instanceof JournalDamage || error instanceof LayoutError) return
      throw new Error(`block ${bytes.toString('hex')}`, { cause: error })
    }
    strictEqual(reader.end, bytes.length, 'a block that is taken is taken whole')
  },
}

export const targets: readonly FuzzTarget[] = [
  ...[config, messages, journal, sealedJournal],
  ...fileTargets,
]

/** Gives the target as many inputs from the seed. The error names seed and input. */
export function fuzz(target: FuzzTarget, seed: number, inputs: number): void {
  const prng = new Prng(seed)
  for (let input = 0; input < inputs; input++) {
    try {
      target.run(prng)
    } catch (cause) {
      const { message } = cause as Error
      throw new Error(`${target.name}, seed ${seed}, input ${input}: ${message}`, { cause })
    }
  }
}
