/** Exports against what streams sent of every order, and against recovered balances. */
import fs from 'node:fs'
import { expect, test } from 'vitest'
import { exports, type Row } from '../../../scripts/audit/export-rows.ts'
import { writeTable } from '../../../scripts/audit/table-file.ts'
import { parseDecimal } from '../../../src/base/fixed.ts'
import { int64ToBigint } from '../../../src/base/int64.ts'
import { ManualClock, ManualTime } from '../../../src/base/manual-time.ts'
import { Prng } from '../../../src/base/prng.ts'
import { AccountId, AssetId, Ms } from '../../../src/base/units.ts'
import { BALANCE_WORDS } from '../../../src/core/ledger/balances.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'
import { dataFolder } from '../../replay/audit-folder.ts'
import { EngineRun } from '../../replay/engine-run.ts'
import { RecoveredExchange } from '../../replay/recovered-exchange.ts'
import { ACCOUNTS, ASSETS, accounts, symbols } from '../../sim/world.ts'
import { Node, Run } from '../agents/payment-run.ts'

const folder = folderPerTest()

function trade(seed: number): EngineRun {
  const run = new EngineRun(folder(), seed)
  for (let batch = 0; batch < 150; batch++) run.batch()
  run.close()
  return run
}

const rowsOf = (what: string): Row[] => [...exports[what]!.rows(dataFolder(folder()), () => {})]
/** Amounts have all places of their asset. */
const atomsOf = (cell: unknown): bigint => BigInt(String(cell).replace('.', ''))

test.each([1, 2, 3])('seed %i: orders stand as was last reported of them', (seed) => {
  const { told } = trade(seed)
  const rows = rowsOf('orders')
  const expected = told.flatMap((orders, symbolId) =>
    [...orders.values()].map(({ account, report }) => ({
      symbol: symbols[symbolId]!.name,
      orderId: report.i,
      account: accounts[account]!.name,
      clientOrderId: report.C === '' ? report.c : report.C,
      side: report.S,
      type: report.o,
      status: report.X,
      quantity: parseDecimal(String(report.q), 8),
      executedQuantity: parseDecimal(String(report.z), 8),
      // A peg works at its own price; the report's is the client's limit.
      price: report.gp ?? report.p,
      createdMs: report.O,
      updatedMs: report.T,
    })),
  )
  const actual = rows.map((row) => ({
    ...Object.fromEntries(Object.keys(expected[0]!).map((key) => [key, row[key]])),
    quantity: parseDecimal(String(row.quantity), 8),
    executedQuantity: parseDecimal(String(row.executedQuantity), 8),
  }))
  const key = ({ symbol, orderId }: Record<string, unknown>) => `${symbol} ${orderId}`
  const sorted = (list: Record<string, unknown>[]) =>
    list.sort((a, b) => (key(a) < key(b) ? -1 : 1))
  expect(sorted(actual)).toEqual(sorted(expected))
})

test('all movements of a balance come to the balance', () => {
  trade(4)
  const { balances } = new RecoveredExchange(folder(), false)
  const { assets } = dataFolder(folder())
  const rows = rowsOf('ledger')
  const words = new Int32Array(BALANCE_WORDS)
  for (let account = 0; account < ACCOUNTS; account++) {
    for (let asset = 0; asset < ASSETS; asset++) {
      const own = rows.filter(
        (row) => row.account === accounts[account]!.name && row.asset === assets[asset]!.name,
      )
      const sum = (column: string) => own.reduce((total, row) => total + atomsOf(row[column]), 0n)
      balances.read(AccountId(account), AssetId(asset), words)
      expect(sum('free')).toBe(int64ToBigint(words, 1))
      expect(sum('locked')).toBe(int64ToBigint(words, 3))
    }
  }
})

test('trades are counted without gaps, and their commissions are what the exchange received', () => {
  trade(5)
  const rows = rowsOf('trades')
  const blocks = rowsOf('block-trades')
  expect(blocks.length).toBeGreaterThan(0)
  for (const { name } of symbols) {
    const ids = rows.filter(({ symbol }) => symbol === name).map(({ tradeId }) => tradeId)
    expect(ids).toEqual(ids.map((_, index) => index + 1))
  }
  const { balances } = new RecoveredExchange(folder(), false)
  for (const { id, name } of dataFolder(folder()).assets) {
    let received = 0n
    for (const row of rows) {
      if (row.takerCommissionAsset === name) received += atomsOf(row.takerCommission)
      if (row.makerCommissionAsset === name) received += atomsOf(row.makerCommission)
    }
    for (const row of blocks) {
      const { base, quote } = symbols.find((spec) => spec.name === row.symbol)!
      if (base.name === name) received += atomsOf(row.buyerCommission)
      if (quote.name === name) received += atomsOf(row.sellerCommission)
    }
    expect(balances.owned(AccountId(0), id), name).toBe(received)
  }
})

test('a file says the same in both formats, and is not there until it is whole', () => {
  const rows: Row[] = [
    { a: 1, b: 'plain' },
    { a: 2, b: 'a "quoted", text' },
  ]
  const file = folder('table')
  expect(writeTable(file, 'csv', ['a', 'b'], rows)).toBe(2)
  expect(fs.readFileSync(file, 'utf8')).toBe('a,b\r\n1,plain\r\n2,"a ""quoted"", text"\r\n')
  expect(writeTable(file, 'jsonl', ['a', 'b'], rows)).toBe(2)
  const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual(rows)
  const broken = (function* (): Iterable<Row> {
    yield rows[0]!
    throw new Error('damage')
  })()
  expect(() => writeTable(folder('other'), 'csv', ['a', 'b'], broken)).toThrow('damage')
  expect(fs.readdirSync(folder()).filter((name) => name.startsWith('other'))).toEqual([])
})

test('the wallet’s movements are those of no symbol', async () => {
  const time = new ManualTime(new ManualClock(Ms(1_000)))
  const run = new Run(folder, new Node(new Prng(1)), time)
  run.apply(10, 'mine')
  for (let cycle = 0; cycle < 20; cycle++) {
    await run.cycle()
    time.advance(1_000)
  }
  run.kill()
  const moved = {
    cause: 'WithdrawalChanged',
    symbol: '',
    asset: dataFolder(folder()).assets[0]!.name,
    locked: '0.00000000',
  }
  expect(rowsOf('ledger').filter(({ cause }) => cause === moved.cause)).toMatchObject([
    { ...moved, account: accounts[1]!.name, free: '-0.00000013' },
    { ...moved, account: accounts[0]!.name, free: '0.00000003' },
  ])
})
