/** Trading status and volumes of the archive, beside sums over plain lists of what happened. */

import { rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Indexer } from '../../../src/agents/indexer.ts'
import { Activity } from '../../../src/archive/activity.ts'
import { archiveFolder } from '../../../src/archive/archive-folder.ts'
import { ArchiveWriter } from '../../../src/archive/archive-writer.ts'
import { History } from '../../../src/archive/history.ts'
import { archiveOptions, TableName } from '../../../src/archive/tables.ts'
import { TradingStatusWriter } from '../../../src/archive/trading-status.ts'
import { noValuation, readVolume, VolumeWriter } from '../../../src/archive/volumes.ts'
import {
  OrderStatus,
  OrderType,
  SelfTradePrevention,
  SymbolStatus,
  TimeInForce,
  timeInForceOf,
  typeOf,
} from '../../../src/base/codes.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import { AccountId, AssetId, Ms, QuoteAtoms, SymbolId, Ticks } from '../../../src/base/units.ts'
import {
  INDICATOR_REFRESH_MS,
  INDICATOR_WINDOW_MS,
  LOCK_MS,
} from '../../../src/history/trading-indicators.ts'
import { Environment, Sync } from '../../../src/journal/environment.ts'
import { DAY_MS } from '../../../src/market/intervals.ts'
import { specifySymbol } from '../../../src/market/listing.ts'
import { TradingLocks } from '../../../src/shared/trading-locks.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'
import { EngineRun } from '../../replay/engine-run.ts'
import { ACCOUNTS, symbols } from '../../sim/world.ts'

const BATCHES = 500
/** Time of the run continues by this much between batches, so that it is longer than the window. */
const PAUSE_MS = 2_000

const folder = folderPerTest()

const spanStart = (timeMs: Ms) => Math.floor(timeMs / INDICATOR_REFRESH_MS) * INDICATOR_REFRESH_MS

interface PlainTally {
  orders: number
  filled: number
  immediate: number
  expired: number
  lasting: number
  canceled: number
}

/** What the account's orders on the symbol say, one by one. */
function plainTally(history: History, account: AccountId, symbolId: SymbolId, asOfMs: Ms) {
  const tally = { orders: 0, filled: 0, immediate: 0, expired: 0, lasting: 0, canceled: 0 }
  for (const row of history.allOrders({
    account: AccountId(account),
    symbolId: SymbolId(symbolId),
    limit: 1_000_000,
  })) {
    if (row.createdMs < asOfMs - INDICATOR_WINDOW_MS || row.createdMs >= asOfMs) continue
    const isImmediate = timeInForceOf(row.terms) !== TimeInForce.GTC
    const isLasting = !isImmediate && typeOf(row.terms) !== OrderType.MARKET
    const { EXPIRED, EXPIRED_IN_MATCH, CANCELED } = OrderStatus
    tally.orders++
    if (row.filledLots > 0) tally.filled++
    if (isImmediate) tally.immediate++
    if (isImmediate && (row.status === EXPIRED || row.status === EXPIRED_IN_MATCH)) tally.expired++
    if (isLasting) tally.lasting++
    if (isLasting && row.status === CANCELED) tally.canceled++
  }
  return tally
}

function indexerOf(run: EngineRun, rest = {}): Indexer {
  const archived = new BigInt64Array(new SharedArrayBuffer(8))
  return new Indexer({
    time: new RealTime(),
    dataFolder: folder(),
    matchers: 1,
    wals: run.wals,
    archived,
    log: () => {},
    ...rest,
  })
}

test.each([1, 2])('counts of the last ten minutes are those of the orders: seed %i', (seed) => {
  const run = new EngineRun(folder(), seed)
  let agent = indexerOf(run)
  for (let batch = 0; batch < BATCHES; batch++) {
    run.batch()
    run.nowMs = Ms(run.nowMs + PAUSE_MS)
    // A start in the middle finds what was so.
    if (batch % 100 === 99) {
      while (agent.doWork() > 0 || agent.isProving);
      agent.close()
      agent = indexerOf(run)
    }
  }
  while (agent.doWork() > 0 || agent.isProving);
  agent.tend(run.nowMs)
  const history = new History(archiveFolder(folder()))
  const asOfMs = spanStart(run.nowMs)
  let orders = 0
  for (let account = 1; account < ACCOUNTS; account++) {
    const status = history.tradingStatus({ account: AccountId(account) })
    expect(status.asOfMs).toBe(asOfMs)
    for (const { id } of symbols) {
      const plain: PlainTally = plainTally(history, AccountId(account), id, Ms(asOfMs))
      const found = status.symbols.find((row) => row.symbolId === id)
      expect(found?.tally).toEqual(plain.orders === 0 ? undefined : plain)
      orders += plain.orders
    }
  }
  expect(orders).toBeGreaterThan(100)
  history.close()
  agent.close()
  run.close()
})

test.each([
  1, 2,
])('volumes are those of the trades at the prices of their time: seed %i', (seed) => {
  const run = new EngineRun(folder(), seed)
  const asset = symbols[0]!.quote
  const valuation = { symbols, assetId: asset.id }
  let agent = indexerOf(run, { valuation })
  for (let batch = 0; batch < BATCHES; batch++) {
    run.batch()
    if (batch % 100 === 99) run.nowMs = Ms(run.nowMs + DAY_MS)
    if (batch % 150 === 149) {
      while (agent.doWork() > 0 || agent.isProving);
      agent.close()
      agent = indexerOf(run, { valuation })
    }
  }
  while (agent.doWork() > 0 || agent.isProving);
  const history = new History(archiveFolder(folder()))
  const direct = symbols.filter(({ quote }) => quote.id === asset.id)
  const others = symbols.filter(({ quote }) => quote.id !== asset.id)
  const firstDay = 1_700_000_000_000 / DAY_MS
  for (let account = 1; account < ACCOUNTS; account++) {
    for (let day = Math.floor(firstDay); day <= Math.floor(run.nowMs / DAY_MS); day++) {
      let atoms = 0n
      for (const { id } of direct) {
        const trades = history.myTrades({
          account: AccountId(account),
          symbolId: id,
          limit: 1_000_000,
        })
        for (const { quoteAtoms, timeMs } of trades) {
          if (Math.floor(timeMs / DAY_MS) !== day) continue
          atoms += BigInt(quoteAtoms)
        }
      }
      const found = history.tradingVolume({
        account: AccountId(account),
        fromDay: day,
        toDay: day + 1,
      })
      if (others.length === 0) expect(found).toBe(atoms)
      else expect(found).toBeGreaterThanOrEqual(atoms)
    }
  }
  history.close()
  agent.close()
  run.close()
})

test('an archive that begins to count while it runs counts all that it would have counted', () => {
  const run = new EngineRun(folder(), 3)
  const valuation = { symbols, assetId: symbols[0]!.quote.id }
  const view = (agent: Indexer) => {
    while (agent.doWork() > 0 || agent.isProving);
    const history = new History(archiveFolder(folder()))
    const toDay = Math.floor(run.nowMs / DAY_MS) + 1
    const volumes = Array.from({ length: ACCOUNTS }, (_, account) =>
      history.tradingVolume({ account: AccountId(account), fromDay: 0, toDay }),
    )
    history.close()
    return volumes
  }
  const trade = () => {
    for (let batch = 0; batch < 80; batch++) run.batch()
  }
  const agent = indexerOf(run)
  trade()
  expect(view(agent).every((atoms) => atoms === 0n)).toBe(true)
  agent.setValuation(valuation)
  trade()
  const grown = view(agent)
  agent.close()
  expect(grown.some((atoms) => atoms > 0n)).toBe(true)
  rmSync(archiveFolder(folder()), { recursive: true })
  const again = indexerOf(run, { valuation })
  expect(view(again)).toEqual(grown)
  again.close()
  run.close()
})

describe('what a trade is worth', () => {
  const assets = ['BTC', 'USDT', 'ETH'].map((name, id) => ({ id: AssetId(id), name }))
  const listed = (id: number, base: number, quote: number) =>
    specifySymbol({
      id: SymbolId(id),
      name: assets[base]!.name + assets[quote]!.name,
      base: assets[base]!,
      quote: assets[quote]!,
      status: SymbolStatus.TRADING,
      filters: [
        { filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '1000000', tickSize: '0.01' },
        { filterType: 'LOT_SIZE', minQty: '0.001', maxQty: '9000', stepSize: '0.001' },
      ],
      preventionModes: [SelfTradePrevention.EXPIRE_MAKER],
      preventionDefault: SelfTradePrevention.EXPIRE_MAKER,
    })
  /** 1 USDT; 0.5 BTC. */
  const inUsdt = [
    SymbolId(0),
    AccountId(1),
    AccountId(2),
    Ticks(100),
    QuoteAtoms(100_000_000),
  ] as const
  const inBtc = [
    SymbolId(1),
    AccountId(1),
    AccountId(2),
    Ticks(50),
    QuoteAtoms(50_000_000),
  ] as const

  test('is what its quote asset was worth then', () => {
    const environment = new Environment(archiveOptions(archiveFolder(folder())))
    const valuation = { symbols: [listed(0, 0, 1), listed(1, 2, 0)], assetId: AssetId(1) }
    const writer = new VolumeWriter(environment, valuation)
    const volumeOf = (account: AccountId, day: number) =>
      readVolume(environment.table(TableName.VOLUMES), AccountId(account), day, day + 1)
    environment.write(() => {
      // BTCUSDT has not traded: what BTC is worth is not known.
      writer.traded(...inBtc, Ms(0))
      writer.traded(...inUsdt, Ms(1))
      writer.traded(...inBtc, Ms(2))
      writer.traded(
        SymbolId(0),
        AccountId(3),
        AccountId(3),
        Ticks(200),
        QuoteAtoms(200_000_000),
        Ms(3),
      )
      writer.traded(...inBtc, Ms(DAY_MS))
      // A matcher whose day is not over yet.
      writer.traded(...inUsdt, Ms(DAY_MS - 1))
      writer.store()
    }, Sync.KERNEL)
    environment.release()
    const unit = 100_000_000n
    expect([volumeOf(AccountId(1), 0), volumeOf(AccountId(2), 0)]).toEqual([
      (5n * unit) / 2n,
      (5n * unit) / 2n,
    ])
    // Both sides of a trade with itself.
    expect(volumeOf(AccountId(3), 0)).toBe(4n * unit)
    expect(volumeOf(AccountId(1), 1)).toBe(unit)
    expect(volumeOf(AccountId(4), 0)).toBe(0n)
    environment.close()
  })

  test('is known of a symbol that was listed after others have traded', () => {
    const environment = new Environment(archiveOptions(archiveFolder(folder())))
    const symbols = [listed(0, 0, 1), listed(1, 2, 0)]
    const writer = new VolumeWriter(environment, {
      symbols: symbols.slice(0, 1),
      assetId: AssetId(1),
    })
    environment.write(() => {
      writer.traded(...inUsdt, Ms(1))
      writer.setValuation({ symbols, assetId: AssetId(1) })
      writer.traded(...inBtc, Ms(2))
      writer.store()
    }, Sync.KERNEL)
    environment.release()
    const table = environment.table(TableName.VOLUMES)
    expect(readVolume(table, AccountId(1), 0, 1)).toBe(150_000_000n)
    environment.close()
  })

  test('is exact past 2^53', () => {
    const environment = new Environment(archiveOptions(archiveFolder(folder())))
    const writer = new VolumeWriter(environment, {
      symbols: [listed(0, 0, 1)],
      assetId: AssetId(1),
    })
    const largest = Number.MAX_SAFE_INTEGER
    environment.write(() => {
      for (let i = 0; i < 1000; i++)
        writer.traded(SymbolId(0), AccountId(1), AccountId(2), Ticks(1), QuoteAtoms(largest), Ms(i))
      writer.store()
    }, Sync.KERNEL)
    environment.release()
    const atoms = BigInt(largest) * 1000n
    expect(readVolume(environment.table(TableName.VOLUMES), AccountId(1), 0, 1)).toBe(atoms)
    environment.close()
  })
})

describe('locks', () => {
  const START_MS = Ms(1_700_000_010_000)
  const FIRST_MS = spanStart(START_MS) + INDICATOR_REFRESH_MS

  function trading(orders: number, filled = 0) {
    const environment = new Environment(archiveOptions(archiveFolder(folder())))
    const activity = new Activity(environment)
    for (let i = 0; i < orders; i++) activity.placed(AccountId(1), SymbolId(0), 0, START_MS)
    for (let i = 0; i < filled; i++) activity.filled(AccountId(1), SymbolId(0), START_MS)
    const status = new TradingStatusWriter(environment, activity)
    const refresh = (timeMs: Ms, enabled = true) => {
      const both = () => {
        activity.store()
        status.refresh(timeMs, enabled)
      }
      environment.write(both, Sync.KERNEL)
      return status.lockedUntilMs.get(AccountId(1))
    }
    return { environment, refresh }
  }

  test.each([
    [299, 0, undefined],
    [300, 0, FIRST_MS + LOCK_MS],
    [300, 1, FIRST_MS + LOCK_MS],
    [300, 2, undefined],
  ])('%i orders, %i of them filled', (orders, filled, untilMs) => {
    const { environment, refresh } = trading(orders, filled)
    expect(refresh(Ms(FIRST_MS))).toBe(untilMs)
    environment.close()
  })

  test('end, survive a start, and the same orders lead to no other', () => {
    const first = trading(300)
    first.refresh(Ms(FIRST_MS))
    first.environment.close()
    const { environment, refresh } = trading(0)
    for (let ms = FIRST_MS; ms <= FIRST_MS + LOCK_MS; ms += INDICATOR_REFRESH_MS) {
      expect(refresh(Ms(ms))).toBe(FIRST_MS + LOCK_MS)
    }
    environment.close()
    const history = new History(archiveFolder(folder()))
    expect(history.tradingStatus({ account: AccountId(1) })).toMatchObject({
      asOfMs: FIRST_MS + LOCK_MS,
      lockedUntilMs: FIRST_MS + LOCK_MS,
      symbols: [{ symbolId: SymbolId(0), tally: { orders: 300 } }],
    })
    history.close()
  })

  test('are not made unless they are asked for', () => {
    const { environment, refresh } = trading(1000)
    expect(refresh(Ms(FIRST_MS), false)).toBeUndefined()
    environment.close()
  })

  test('are in force before a client can read of them', () => {
    const open = () => ArchiveWriter.open(archiveFolder(folder()), noValuation)
    open().close()
    const { environment, refresh } = trading(300)
    refresh(Ms(FIRST_MS), false)
    environment.close()
    const writer = open()
    const account = AccountId(1)
    const readable: (readonly [AccountId, Ms, Ms])[] = []
    const history = new History(archiveFolder(folder()))
    const read = () => history.read(() => history.tradingStatus({ account }).lockedUntilMs)
    const nextMs = Ms(FIRST_MS + INDICATOR_REFRESH_MS)
    writer.refreshTradingStatus(nextMs, (locked, untilMs) => {
      readable.push([locked, untilMs, read()])
    })
    expect(readable).toEqual([[account, nextMs + LOCK_MS, 0]])
    expect(read()).toBe(nextMs + LOCK_MS)
    history.close()
    writer.close()
  })

  test('are told to the gateways', () => {
    const locks = new TradingLocks(new SharedArrayBuffer(TradingLocks.bytesFor(4)))
    locks.lock(AccountId(2), Ms(1000))
    const said = [
      locks.isLocked(AccountId(2), Ms(999)),
      locks.isLocked(AccountId(2), Ms(1000)),
      locks.isLocked(AccountId(1), Ms(0)),
    ]
    expect(said).toEqual([true, false, false])
  })
})
