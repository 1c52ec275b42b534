/** Whose row a new address takes in a full set of the address table. */
import { beforeEach, expect, test } from 'vitest'
import { Ms } from '../../../../src/base/units.ts'
import {
  ADDRESS_SALT_CELL,
  ADDRESS_TABLE_CELLS,
  AddressCell,
  type AddressHandle,
  AddressTable,
  rowOf,
  stampOf,
  tagOf,
} from '../../../../src/gateway/limits/address-table.ts'
import { Bans } from '../../../../src/gateway/limits/bans.ts'
import { LimitCells } from '../../../../src/gateway/limits/limit-cells.ts'

const now = Ms(1_700_000_000_000)
const minute = Math.floor(now / 60_000)
const WAYS = 8
const SALT = 0x1e3779b97f4a7c15n

/** Addresses that fall into one set with this salt, one more than it has rows. */
const clients = Array.from({ length: 20_000 }, (_, i) => Uint8Array.of(10, 1, i >> 8, i & 255))
  .filter((bytes) => setOf(bytes) === setOf(Uint8Array.of(10, 1, 0, 0)))
  .slice(0, WAYS + 1)

function setOf(bytes: Uint8Array): bigint {
  const word = BigInt(Buffer.from(bytes).readUInt32BE())
  return BigInt.asUintN(64, (0xffff_0000_0000n + word) * SALT) >> 55n
}

let cells: BigInt64Array
let bans: Bans
let counts: LimitCells
let table: AddressTable
let handles: AddressHandle[]
let evicted = 0
beforeEach(() => {
  evicted = 0
  cells = new BigInt64Array(new SharedArrayBuffer(8 * ADDRESS_TABLE_CELLS))
  cells[ADDRESS_SALT_CELL] = SALT
  bans = new Bans(cells, 60)
  counts = new LimitCells(cells)
  table = new AddressTable(cells, counts, bans, () => evicted++)
  handles = clients.slice(0, WAYS).map((bytes) => table.find(bytes, now))
  expect(new Set(handles.map(rowOf)).size).toBe(WAYS)
})

const ban = (client: number, beganMs: number) =>
  bans.begin(rowOf(handles[client]!) + AddressCell.BAN, tagOf(handles[client]!), Ms(beganMs))

function ask(client: number, interval: number, requests = 1): void {
  const handle = handles[client]!
  const at = rowOf(handle) + AddressCell.RAW_REQUESTS
  counts.add(at, stampOf(handle, interval), requests, 1_000)
}

/** Brings one more address, and returns whose row it takes. */
function victim(): number {
  const row = rowOf(table.find(clients[WAYS]!, now))
  expect(evicted).toBe(1)
  return handles.map(rowOf).indexOf(row)
}

test.each([0, 3, 7])('of bans alone, that of the one that ends first: %i', (first) => {
  for (let client = 0; client < WAYS; client++) {
    ban(client, client === first ? now - 30_000 : now + 1_000 * client)
    // Requests do not count among the banned.
    ask(client, minute - client)
  }
  expect(victim()).toBe(first)
})

test.each([0, 4, 7])('no ban that lasts goes before an address without one: %i', (unbanned) => {
  for (let client = 0; client < WAYS; client++) {
    if (client !== unbanned) ban(client, now - 30_000)
    ask(client, client === unbanned ? minute + 5 : minute, 900)
  }
  expect(victim()).toBe(unbanned)
})

test.each([0, 4, 7])('a ban that is over keeps no row: %i', (free) => {
  for (let client = 0; client < WAYS; client++) ban(client, client === free ? now - 61_000 : now)
  ask(free, minute)
  expect(victim()).toBe(free)
})

test('without bans that of the one that was quiet longest', () => {
  for (let client = 0; client < WAYS; client++) ask(client, client === 5 ? minute - 1 : minute)
  expect(victim()).toBe(5)
})

test('of those that asked in the same interval, that of the one that asked least', () => {
  for (let client = 0; client < WAYS; client++) ask(client, minute, client === 2 ? 3 : 4)
  expect(victim()).toBe(2)
})
