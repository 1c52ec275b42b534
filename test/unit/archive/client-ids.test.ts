/** The index of client order ids beside a list of all that was added, over many buckets and parts. */

import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LongHistory, makerIdOf } from '../../../bench/workloads/long-history.ts'
import { Indexer } from '../../../src/agents/indexer.ts'
import { archiveFolder } from '../../../src/archive/archive-folder.ts'
import { ClientIdRemoval, ClientIdWriter } from '../../../src/archive/client-id-writer.ts'
import { BUCKET_ORDERS, ClientIdReader, IdKind } from '../../../src/archive/client-ids.ts'
import { History } from '../../../src/archive/history.ts'
import { IdHash } from '../../../src/archive/id-hash.ts'
import {
  ARCHIVE_VERSION,
  archiveOptions,
  SALT_KEY,
  TableName,
  VERSION_KEY,
} from '../../../src/archive/tables.ts'
import { CLIENT_ORDER_ID_WORDS, packClientOrderId } from '../../../src/base/client-order-id.ts'
import { ManualClock, ManualTime } from '../../../src/base/manual-time.ts'
import { AccountId, Ms, OrderId, SymbolId } from '../../../src/base/units.ts'
import { Environment, Sync } from '../../../src/journal/environment.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'
import { collidingIds } from '../base/colliding-ids.ts'

const tables = [TableName.CLIENT_IDS, TableName.RECENT_IDS, TableName.PROGRESS]
/** Entries that wait in the test: some do, some are in their parts. */
const RECENT_FEW = 150
const LAST_ORDER_ID = 5 * BUCKET_ORDERS

interface Entry {
  readonly account: AccountId
  readonly symbolId: SymbolId
  readonly orderId: OrderId
  readonly kind: IdKind
  readonly name: string
}

const entry: fc.Arbitrary<Entry> = fc.record({
  account: fc.integer({ min: 1, max: 3 }).map(AccountId),
  symbolId: fc.constantFrom(0, 1, 1023).map(SymbolId),
  orderId: fc
    .oneof(
      fc.integer({ min: 1, max: LAST_ORDER_ID }),
      fc.integer({ min: BUCKET_ORDERS - 2, max: BUCKET_ORDERS + 2 }),
    )
    .map(OrderId),
  kind: fc.constantFrom(IdKind.OWN, IdKind.CANCEL),
  name: fc.integer({ min: 1, max: 40 }).map((n) => `id-${n}`),
})
const transactions = fc.array(fc.array(entry, { maxLength: 200 }), { minLength: 1, maxLength: 6 })

function packed(name: string): Int32Array {
  const words = new Int32Array(CLIENT_ORDER_ID_WORDS)
  expect(packClientOrderId(name, words, 0)).toBe(true)
  return words
}

/** What was added of one account's name, in the order in which a lookup finds it. */
function plain(all: readonly Entry[], { account, symbolId, name }: Entry, lastOrderId: OrderId) {
  const bucketOf = (orderId: OrderId) => Math.floor(orderId / BUCKET_ORDERS)
  return all
    .filter((it) => it.account === account && it.symbolId === symbolId && it.name === name)
    .filter((it) => bucketOf(it.orderId) <= bucketOf(lastOrderId))
    .map(({ orderId, kind }) => ({ orderId, kind }))
    .reverse()
    .sort((one, other) => bucketOf(other.orderId) - bucketOf(one.orderId))
}

test('every order that has a name is found, the latest of the newest bucket first', () => {
  fc.assert(
    fc.property(transactions, fc.array(fc.nat(), { maxLength: 30 }), (all, picks) => {
      const folder = temporaryFolder()
      const environment = new Environment({ folder, tables })
      try {
        const hash = new IdHash(environment)
        const writer = new ClientIdWriter(environment, hash, RECENT_FEW)
        const reader = new ClientIdReader(environment, hash)
        let known: Entry[] = []
        const check = () => {
          environment.release()
          for (const it of all.flat()) {
            for (const lastOrderId of [LAST_ORDER_ID, it.orderId]) {
              const words = packed(it.name)
              const found = [
                ...reader.orders(
                  AccountId(it.account),
                  SymbolId(it.symbolId),
                  words,
                  OrderId(lastOrderId),
                ),
              ]
              expect(found).toEqual(plain(known, it, OrderId(lastOrderId)))
            }
          }
        }
        for (const entries of all) {
          environment.write(() => {
            // What a transaction that failed had added is forgotten.
            writer.add(AccountId(1), SymbolId(0), OrderId(1), IdKind.OWN, packed('id-1'), 0)
            writer.forget()
            for (const { account, symbolId, orderId, kind, name } of entries) {
              writer.add(
                AccountId(account),
                SymbolId(symbolId),
                OrderId(orderId),
                kind,
                packed(name),
                0,
              )
            }
            writer.store()
          }, Sync.KERNEL)
          known.push(...entries)
        }
        check()
        const removal = new ClientIdRemoval(environment, hash)
        const gone = picks.map((pick) => known[pick % Math.max(known.length, 1)]).filter(isEntry)
        for (const { symbolId, orderId } of gone) {
          const same = known.filter((it) => it.symbolId === symbolId && it.orderId === orderId)
          for (const { account, name } of same) {
            removal.add(AccountId(account), SymbolId(symbolId), OrderId(orderId), packed(name), 0)
          }
          known = known.filter((it) => !same.includes(it))
        }
        environment.write(() => removal.remove(), Sync.KERNEL)
        check()
      } finally {
        environment.close()
      }
    }),
    { numRuns: 25 },
  )
})

const isEntry = (it: Entry | undefined): it is Entry => it !== undefined

test('a part holds as many as come', () => {
  const folder = temporaryFolder()
  const environment = new Environment({ folder, tables })
  const hash = new IdHash(environment)
  const writer = new ClientIdWriter(environment, hash)
  const words = packed('always-the-same')
  const count = 6_000
  for (const half of [0, 1]) {
    environment.write(() => {
      for (let n = 1; n <= count; n++) {
        writer.add(AccountId(1), SymbolId(0), OrderId(half * count + n), IdKind.OWN, words, 0)
      }
      writer.store()
    }, Sync.KERNEL)
  }
  environment.release()
  const reader = new ClientIdReader(environment, hash)
  const found = [...reader.orders(AccountId(1), SymbolId(0), words, OrderId(2 * count))].map(
    ({ orderId }) => orderId,
  )
  expect(found).toEqual(Array.from({ length: 2 * count }, (_, i) => 2 * count - i))
  environment.close()
})

const KNOWN_SALT = 0
const SALTS = [1, 2, 0x7fffffff, 0xffffffff]

test('ids that collide under one salt are told apart under another', () => {
  const attack = collidingIds(2_000, 1, KNOWN_SALT)
  const found = (salt: number) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-ids-'))
    const environment = new Environment({ folder, tables })
    environment.write(() => {
      const row = new Uint8Array(Int32Array.of(salt, salt).buffer)
      environment.table(TableName.PROGRESS).put(SALT_KEY, row)
    }, Sync.KERNEL)
    environment.release()
    const hash = new IdHash(environment)
    const writer = new ClientIdWriter(environment, hash)
    environment.write(() => {
      for (const [n, words] of attack.entries())
        writer.add(AccountId(1), SymbolId(0), OrderId(n + 1), IdKind.OWN, words, 0)
      writer.store()
    }, Sync.KERNEL)
    environment.release()
    const reader = new ClientIdReader(environment, hash)
    const counts = attack.map(
      (words) =>
        [...reader.orders(AccountId(1), SymbolId(0), words, OrderId(attack.length))].length,
    )
    const lists = new Set(attack.map((words) => hash.of(AccountId(1), words, 0).low)).size
    environment.close()
    rmSync(folder, { recursive: true, force: true })
    return { most: Math.max(...counts), lists }
  }
  expect(found(KNOWN_SALT)).toEqual({ most: attack.length, lists: 1 })
  for (const salt of SALTS) {
    const { most, lists } = found(salt)
    expect(most).toBeLessThanOrEqual(2)
    expect(lists).toBeGreaterThan(attack.length - 10)
  }
})

test('each archive draws a salt, keeps it while it lives, and readers follow it', () => {
  const folder = temporaryFolder()
  const long = new LongHistory(50, 1, 2, 1_700_000_000_000, 1000)
  long.writeJournal(folder)
  const archive = () => {
    const archived = new BigInt64Array(new SharedArrayBuffer(8))
    const agent = new Indexer({
      // It stands still, so that the archive's pages are proven in one piece.
      time: new ManualTime(new ManualClock(Ms(0))),
      dataFolder: folder,
      matchers: 1,
      archived,
      log: () => {},
    })
    while (agent.doWork() > 0 || agent.isProving);
    agent.close()
    const environment = new Environment(archiveOptions(archiveFolder(folder)))
    const salt = Buffer.from(environment.table(TableName.PROGRESS).get(SALT_KEY)!).toString('hex')
    environment.close()
    return salt
  }
  const checkHistory = (history: History) => {
    for (const tradeId of [1, 25, 50]) {
      const { makerAccount: account, makerOrderId: orderId } = long.tradeOf(0, tradeId)
      const query = {
        account: AccountId(account),
        symbolId: SymbolId(0),
        clientOrderId: makerIdOf(tradeId),
      }
      expect(history.order(query)).toMatchObject({ orderId })
    }
  }

  const salt = archive()
  expect(archive()).toBe(salt)
  const history = new History(archiveFolder(folder))
  checkHistory(history)
  // The writer finds another version, empties the archive and applies it again beside the reader.
  const environment = new Environment(archiveOptions(archiveFolder(folder)))
  const progress = environment.table(TableName.PROGRESS)
  const other = new Uint8Array(new Float64Array([ARCHIVE_VERSION + 1, 0]).buffer)
  environment.write(() => progress.put(VERSION_KEY, other), Sync.KERNEL)
  environment.close()
  expect(archive()).not.toBe(salt)
  history.read(() => checkHistory(history))
  history.close()
})
