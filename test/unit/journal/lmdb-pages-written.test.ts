/** Files as LMDB writes them are proven, whatever is written: no sound journal, control journal or archive is refused. */
import path from 'node:path'
import { expect, test } from 'vitest'
import { archiveOptions, TableName } from '../../../src/archive/tables.ts'
import { Prng } from '../../../src/base/prng.ts'
import {
  checkLength,
  Environment,
  type EnvironmentOptions,
  Sync,
} from '../../../src/journal/environment.ts'
import { provePages } from '../../../src/journal/lmdb-pages.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'

const SEEDS = Number(process.env.RINGBOOK_SIM_SEEDS ?? 1)
const LIVES = 8
const TRANSACTIONS = 10

const root = temporaryFolder()

/** Writes one transaction of its kind. */
type Writing = (environment: Environment, random: Prng) => void

function keyOf(number: number, bytes = 8): Buffer {
  const key = Buffer.alloc(bytes)
  key.writeUInt32BE(number, 4)
  return key
}

/** Most values are short, some fill a page, and a few need their own pages. */
function someValue(random: Prng): Buffer {
  const bytes = random.pick([40, 300, 1_900, 2_030, 4_050, 4_096, 20_000, 200_000])
  return Buffer.alloc(1 + random.below(random.chance(0.9) ? Math.min(bytes, 4_100) : bytes), 7)
}

/** Appends blocks, and removes the oldest, as the checkpointer and the compactor do. */
function journal(): Writing {
  let [first, last] = [1, 0]
  return (environment, random) =>
    environment.write(() => {
      const table = environment.table()
      table.put(keyOf(0), Buffer.alloc(16))
      for (let count = random.below(40); count > 0; count--)
        table.append(keyOf(++last), someValue(random))
      if (random.chance(0.4)) {
        for (let count = random.below(60); count > 0 && first < last; count--) {
          table.get(keyOf(first))
          table.remove(keyOf(first++))
        }
      }
    }, Sync.DISK)
}

/** Puts, replaces and removes rows all over its tables, and sometimes clears one. */
function archive(): Writing {
  const names = Object.values(TableName)
  return (environment, random) =>
    environment.write(() => {
      for (let count = random.below(600); count > 0; count--) {
        const table = environment.table(random.pick(names.slice(0, 1 + random.below(names.length))))
        const key = keyOf(random.below(2_000), random.pick([8, 16, 40]))
        if (random.chance(0.35)) table.remove(key)
        else table.put(key, someValue(random))
      }
      if (random.chance(0.03)) environment.table(random.pick(names)).clear()
    }, Sync.KERNEL)
}

const kinds: Readonly<
  Record<string, { options: (folder: string) => EnvironmentOptions; writing: () => Writing }>
> = {
  journal: { options: (folder) => ({ folder }), writing: journal },
  'control journal': { options: (folder) => ({ folder, mapBytes: 1 << 20 }), writing: journal },
  archive: { options: (folder) => archiveOptions(folder), writing: archive },
}

test.each(Object.keys(kinds))('each file of a %s is proven, in every life', (name) => {
  const { options, writing } = kinds[name]!
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = new Prng(seed)
    const folder = path.join(root, `${name}-${seed}`)
    const write = writing()
    const table = name === 'archive' ? TableName.PROGRESS : ''
    for (let life = 0; life < LIVES; life++) {
      checkLength(folder)
      const environment = new Environment(options(folder))
      const reader = new Environment(options(folder))
      for (let count = random.below(TRANSACTIONS); count > 0; count--) {
        // A state that is held keeps its pages.
        if (random.chance(0.3)) reader.table(table).get(keyOf(0))
        if (random.chance(0.3)) reader.release()
        if (random.chance(0.1)) abort(environment, table, random)
        write(environment, random)
        if (random.chance(0.2)) provePages(folder)
      }
      reader.close()
      environment.close()
      expect(() => provePages(folder)).not.toThrow()
      provePages(folder, 1)
    }
  }
})

/** What it writes is given up. */
function abort(environment: Environment, table: string, random: Prng): void {
  const write = () => {
    for (let i = 0; i < 200; i++) {
      environment.table(table).put(keyOf(1_000_000 + i), someValue(random))
    }
    throw new RangeError('given up')
  }
  expect(() => environment.write(write, Sync.KERNEL)).toThrow('given up')
}
