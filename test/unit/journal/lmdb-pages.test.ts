/** A byte of an LMDB file that has changed is found, or changes nothing of the file's content. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { Prng } from '../../../src/base/prng.ts'
import { Environment, PAGE_BYTES, Sync } from '../../../src/journal/environment.ts'
import { pageSteps, provePages } from '../../../src/journal/lmdb-pages.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'

const TABLES = ['one', 'two']
const HEAD_BYTES = 24
const FLIPS = 600

const root = temporaryFolder()
let folder = ''
let file = ''
let whole: Buffer
beforeAll(() => {
  folder = path.join(root, 'store')
  file = path.join(folder, 'data.mdb')
  const random = new Prng(1)
  const environment = new Environment({ folder, tables: TABLES, isScattered: true })
  // Rows of all sizes, many of them replaced or removed: branches, values of their own pages, free pages.
  for (let round = 0; round < 12; round++) {
    environment.write(() => {
      for (const name of TABLES) {
        for (let row = 0; row < 60; row++) {
          const key = Buffer.alloc(8)
          key.writeUInt32BE(random.below(400), 4)
          if (random.chance(0.3)) environment.table(name).remove(key)
          else
            environment
              .table(name)
              .put(key, Buffer.alloc(1 + random.below(row % 20 === 0 ? 9_000 : 300)))
        }
      }
    }, Sync.DISK)
  }
  environment.close()
  whole = readFileSync(file)
})

test('a file as LMDB wrote it is proven, whole and by its ends', () => {
  provePages(folder)
  provePages(folder, 1)
  let pages = 0
  for (const steps = pageSteps(folder); steps.next().done !== true; ) pages++
  expect(pages).toBeGreaterThan(20)
  provePages(path.join(root, 'nothing'))
})

/** Pages that are in use, by what they are: proven one by one, as each fails when its number changes. */
function usedPages(): readonly number[] {
  return Array.from({ length: whole.length / PAGE_BYTES }, (_, page) => page).filter((page) => {
    if (page < 2) return false
    const changed = Buffer.from(whole)
    changed[page * PAGE_BYTES]! ^= 0x55
    return faultOf(changed) !== undefined
  })
}

function faultOf(bytes: Buffer): string | undefined {
  writeFileSync(file, bytes)
  try {
    provePages(folder)
    return undefined
  } catch (error) {
    return (error as Error).message
  } finally {
    writeFileSync(file, whole)
  }
}

test('a changed head, place or size of any page in use is found, and the sentence names the file', () => {
  const used = usedPages()
  expect(used.length).toBeGreaterThan(20)
  const random = new Prng(2)
  const missed: string[] = []
  for (let i = 0; i < FLIPS; i++) {
    const page = random.pick(used)
    const at = page * PAGE_BYTES
    const kind = whole.readUInt8(at + 18)
    // Its number; its kind; lower and upper or its pages; places and heads of nodes.
    const heads: number[] = [random.below(8), 18, 20 + random.below(4)]
    if (kind !== 4) {
      const nodes = whole.readUInt16LE(at + 20) >> 1
      const place = HEAD_BYTES + 2 * random.below(nodes)
      const node = HEAD_BYTES + whole.readUInt16LE(at + place)
      heads.push(place, place + 1, node + 7)
    }
    const offset = random.pick(heads)
    const changed = Buffer.from(whole)
    changed[at + offset]! ^= 1 << random.below(8)
    const fault = faultOf(changed)
    if (fault === undefined) missed.push(`page ${page} of kind ${kind}, byte ${offset}`)
    else if (!fault.startsWith(`${file} is damaged: `) || !fault.includes('restore'))
      missed.push(fault)
  }
  expect(missed).toEqual([])
})

test('a page of the list of free pages that is in use is found', () => {
  const [used] = usedPages()
  const main =
    whole.readBigUInt64LE(TRANSACTION_AT) > whole.readBigUInt64LE(PAGE_BYTES + TRANSACTION_AT)
      ? 0
      : 1
  const root = Number(whole.readBigUInt64LE(main * PAGE_BYTES + FREE_ROOT_AT))
  const at = root * PAGE_BYTES
  const changed = Buffer.from(whole)
  const node = at + HEAD_BYTES + changed.readUInt16LE(at + HEAD_BYTES)
  const value = node + 8 + 8
  expect(changed.readBigUInt64LE(value)).toBeGreaterThan(0n)
  changed.writeBigUInt64LE(BigInt(used!), value + 8)
  expect(faultOf(changed)).toContain('which is used already')
})
const FREE_ROOT_AT = 88
const TRANSACTION_AT = 152

test('a file that is cut, zeroed or falls back to a transaction before is found', () => {
  expect(faultOf(whole.subarray(0, whole.length >> 1))).toContain('is damaged')
  expect(faultOf(Buffer.alloc(whole.length))).toContain('its meta page 0 does not begin as it must')
  const newer =
    whole.readBigUInt64LE(TRANSACTION_AT) > whole.readBigUInt64LE(PAGE_BYTES + TRANSACTION_AT)
      ? 0
      : 1
  const changed = Buffer.from(whole)
  changed.writeBigUInt64LE(1n, newer * PAGE_BYTES + TRANSACTION_AT)
  expect(faultOf(changed)).toContain('its meta pages are of transactions')
})

test('a changed byte of a checked row is found by who reads it', () => {
  const checked = path.join(root, 'checked')
  const options = { folder: checked, isChecked: true } as const
  const key = Buffer.from('key')
  const store = new Environment(options)
  store.write(() => store.table().put(key, Buffer.from('a value of some length')), Sync.DISK)
  store.close()
  const again = new Environment(options)
  expect(Buffer.from(again.table().get(key)!).toString()).toBe('a value of some length')
  expect([...again.table().rows({})].map(({ value }) => Buffer.from(value).toString())).toEqual([
    'a value of some length',
  ])
  again.close()
  const data = path.join(checked, 'data.mdb')
  const bytes = readFileSync(data)
  cpSync(data, `${data}.whole`)
  for (const text of ['value', 'key']) {
    const changed = Buffer.from(bytes)
    for (let at = changed.indexOf(text); at >= 0; at = changed.indexOf(text, at + 1))
      changed[at]! ^= 1
    writeFileSync(data, changed)
    const damaged = new Environment(options)
    expect(() => [...damaged.table().rows({})]).toThrow('does not match its checksum')
    if (text === 'value')
      expect(() => damaged.table().get(key)).toThrow('does not match its checksum')
    damaged.close()
  }
})
