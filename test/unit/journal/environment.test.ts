/** A disk that refuses: found by our own write, before LMDB's, which may end the process. */

import { execFileSync } from 'node:child_process'
import type fs from 'node:fs'
import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Prng } from '../../../src/base/prng.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import {
  checkLength,
  Environment,
  isRefusal,
  LongRead,
  PAGE_BYTES,
  StorageError,
  Sync,
} from '../../../src/journal/environment.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

/** What the file system reports is left of it, if not the truth. */
const disk = vi.hoisted(() => ({ leftBytes: undefined as number | undefined }))
vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>()
  const statfsSync = (folder: string) =>
    disk.leftBytes === undefined ? real.statfsSync(folder) : { bavail: disk.leftBytes, bsize: 1 }
  return { ...real, statfsSync }
})

const KEY = Buffer.from('key')
const value = (n: number) => Buffer.from(String(n))

const folder = folderPerTest()
let environment: Environment

beforeEach(() => {
  environment = new Environment({ folder: folder() })
})
afterEach(() => {
  limitFiles('unlimited')
  disk.leftBytes = undefined
  environment.close()
})

/** The length that the kernel lets this process give to files; 0 refuses every write. */
function limitFiles(bytes: string): void {
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:unlimited`])
}

const write = (n: number) =>
  environment.write(() => environment.table().put(KEY, value(n)), Sync.KERNEL)
const read = () => Number(Buffer.from(environment.table().get(KEY)!).toString())

test('every transaction is refused as a whole, and the next one finds all in order', () => {
  write(1)
  limitFiles('0')
  for (let n = 2; n < 100; n++) {
    expect(() => write(n)).toThrow(StorageError)
    expect(() => write(n)).toThrow(`${folder()} cannot be used: EFBIG`)
  }
  environment.release()
  expect(read()).toBe(1)
  limitFiles('unlimited')
  write(100)
  environment.release()
  expect(read()).toBe(100)
})

test('a new one is refused likewise, and made once there is room', () => {
  const options = { folder: folder('new') }
  limitFiles('0')
  expect(() => new Environment(options)).toThrow(`${options.folder} cannot be used: EFBIG`)
  limitFiles('unlimited')
  new Environment(options).close()
})

test.each([
  ['a write that the disk cannot make', { code: 'EIO', syscall: 'fsync' }, true],
  ['a flush within LMDB', { code: os.constants.errno.EIO }, true],
  ['a file that cannot be read', { code: 'EIO', syscall: 'read' }, false],
])('%s: whether the disk refused', (_, of, isSo) => {
  const error = Object.assign(new Error('of the disk'), of)
  expect(isRefusal(error)).toBe(isSo)
  expect(isRefusal(new StorageError('wrapped', { cause: error }))).toBe(isSo)
})

test('with next to no room left, nothing is written', () => {
  write(1)
  disk.leftBytes = (64 << 20) - 1
  expect(() => write(2)).toThrow(StorageError)
  expect(() => write(2)).toThrow(
    `${folder()} cannot be used: less than 64 MiB of the disk are left`,
  )
  environment.release()
  expect(read()).toBe(1)
  disk.leftBytes++
  write(3)
  environment.release()
  expect(read()).toBe(3)
})

test('what the action throws is its own, and nothing of it is written', () => {
  write(1)
  const own = new Error('of the action')
  const failing = () => {
    environment.table().put(KEY, value(2))
    throw own
  }
  expect(() => environment.write(failing, Sync.KERNEL)).toThrow(own)
  environment.release()
  expect(read()).toBe(1)
})

test('rows all over the file come and go, and its free pages are used again', () => {
  const random = new Prng(5)
  const twin = new Map<number, string>()
  const key = Buffer.alloc(4)
  let bytes = 0
  for (let round = 0; round < 300; round++) {
    if (round % 50 === 0) {
      environment.close()
      environment = new Environment({ folder: folder(), tables: ['rows'], isScattered: true })
    }
    const rows = environment.table('rows')
    const writes = random.between(1, round % 3 === 0 ? 2000 : 200)
    environment.write(() => {
      for (let n = 0; n < writes; n++) {
        const id = random.below(20_000)
        const text = String(random.below(1e9)).repeat(random.between(6, 20))
        key.writeUInt32BE(Math.imul(id, 0x9e3779b1) >>> 0)
        if (twin.delete(id)) rows.remove(key)
        else {
          twin.set(id, text)
          rows.put(key, Buffer.from(text))
        }
      }
    }, Sync.KERNEL)
    if (round === 200) bytes = statSync(folder('data.mdb')).size
  }
  environment.release()
  const rows = environment.table('rows')
  for (const [id, text] of twin) {
    key.writeUInt32BE(Math.imul(id, 0x9e3779b1) >>> 0)
    expect(Buffer.from(rows.get(key)!).toString()).toBe(text)
  }
  expect(Array.from(rows.keys({})).length).toBe(twin.size)
  expect(statSync(folder('data.mdb')).size).toBeLessThan(1.5 * bytes)
})

describe('figures', () => {
  const figures = () => environment.figures()
  const fill = (rows: number, byte: number) =>
    environment.write(() => {
      for (let n = 0; n < rows; n++) environment.table().put(value(n), Buffer.alloc(1_000, byte))
    }, Sync.KERNEL)

  test('tell how large the file is, and how much of it is free', () => {
    fill(1_000, 1)
    const full = figures()
    expect(full.fileBytes).toBe(statSync(folder('data.mdb')).size)
    expect(full.freePages).toBeLessThan(10)
    environment.write(() => environment.table().clear(), Sync.KERNEL)
    const empty = figures()
    expect(empty.lastTransaction).toBe(full.lastTransaction + 1)
    expect(empty.freePages * PAGE_BYTES).toBeGreaterThan(0.9 * empty.fileBytes)
    expect(empty.freeEntries).toBeGreaterThanOrEqual(1)
  })

  test('count the pages of every table', () => {
    environment.close()
    environment = new Environment({ folder: folder(), tables: ['one', 'two'] })
    environment.write(() => {
      for (const name of ['one', 'two']) {
        for (let n = 0; n < 1_000; n++) environment.table(name).put(value(n), Buffer.alloc(1_000))
      }
    }, Sync.KERNEL)
    expect(figures().freePages).toBeLessThan(20)
  })

  test('name the oldest reader, and are none themselves', () => {
    fill(10, 1)
    expect(figures().oldestReader).toBeUndefined()
    const readers = [1, 2, 3].map((byte) => {
      fill(10, byte)
      const reader = new Environment({ folder: folder() })
      expect(reader.table().get(value(0))![0]).toBe(byte)
      return reader
    })
    const first = figures()
    expect(first.oldestReader).toBe(first.lastTransaction - 2)
    expect(figures()).toEqual(first)
    readers[0]!.release()
    expect(figures().oldestReader).toBe(first.lastTransaction - 1)
    for (const reader of readers) reader.close()
    expect(figures().oldestReader).toBeUndefined()
  })
})

describe('a file that is cut short', () => {
  const ROWS = 1_000
  const ROW = Buffer.alloc(1_000, 1)
  const key = (n: number) => Buffer.from(String(n).padStart(4, '0'))
  const file = () => folder('data.mdb')

  beforeEach(() => {
    environment.write(() => {
      for (let n = 0; n < ROWS; n++) environment.table().put(key(n), ROW)
    }, Sync.DISK)
    environment.close()
  })
  afterEach(() => {
    environment = new Environment({ folder: mkdtempSync(`${folder()}-`) })
    rmSync(environment.folder, { recursive: true })
  })

  const readAll = () => {
    checkLength(folder())
    const cut = new Environment({ folder: folder() })
    try {
      return Array.from({ length: ROWS }, (_, n) => cut.table().get(key(n))).filter(Boolean).length
    } finally {
      cut.close()
    }
  }

  test('is damage that is found, wherever it ends', () => {
    expect(readAll()).toBe(ROWS)
    const pages = statSync(file()).size / PAGE_BYTES
    for (const kept of [pages - 1, Math.floor(pages / 2), 3, 2, 1]) {
      truncateSync(file(), kept * PAGE_BYTES)
      expect(readAll, `${kept} pages`).toThrow(StorageError)
    }
  })

  test('is left alone when it is not of LMDB', () => {
    const foreign = Buffer.alloc(3 * PAGE_BYTES, 'x')
    writeFileSync(file(), foreign)
    expect(readAll).toThrow('not an LMDB file')
    expect(statSync(file()).size).toBe(foreign.length)
  })
})

test('reads that take too long are ended, and hold nothing', () => {
  const open = (msMax: number) => {
    environment.close()
    environment = new Environment({ folder: folder(), readBound: { msMax, clock: new RealTime() } })
  }
  const readAll = () => environment.read(() => [...environment.table().rows({})].length)
  environment.write(() => {
    for (let n = 0; n < 1_000; n++) environment.table().put(value(n), value(n))
  }, Sync.KERNEL)
  open(3_600_000)
  expect(readAll()).toBe(1_000)
  open(0)
  expect(readAll).toThrow(LongRead)
  expect(environment.figures().oldestReader).toBeUndefined()
  // Outside `read` nothing is bounded.
  expect([...environment.table().rows({})]).toHaveLength(1_000)
})
