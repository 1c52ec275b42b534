/** A write-ahead log that is damaged is started on only once an operator has agreed. */
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { plain } from '../../src/cli/paint.ts'
import { salvage } from '../../src/cli/salvage.ts'
import { Arguments } from '../../src/control/action.ts'
import { ControlStore } from '../../src/journal/control-store.ts'
import { journalFolder } from '../../src/journal/lmdb-store.ts'
import { recoverWals } from '../../src/journal/recovery.ts'
import { snapshotsIn } from '../../src/journal/snapshot.ts'
import { segmentFile } from '../../src/journal/wal-writer.ts'
import { snapshotNow } from './snapshot-now.ts'
import { Trader } from './trader.ts'

let exchange: ExchangeProcess | undefined
afterEach(() => exchange?.remove())

const NOTHING_LOST = 'No journal has lost blocks: nothing to salvage.\n'
const ORDER = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }

const salvageIn = (data: string, given: Record<string, string>) =>
  salvage.run(new Arguments(salvage, given), { data, paint: plain, terminal: undefined })

test('a start is refused until the loss is given up, which is noted', async () => {
  exchange = await ExchangeProcess.prepare()
  await exchange.run()
  await new Trader(exchange, 'trader1').place({ ...ORDER, price: '40000', quantity: '0.01' })
  await exchange.stop('SIGKILL')
  const { data } = exchange
  const run = (given: Record<string, string>) => salvageIn(data, given)
  expect(await run({})).toBe(NOTHING_LOST)
  fs.rmSync(segmentFile(journalFolder(data, 0), 0))
  for (let i = 0; i < 2; i++) {
    const report = await exchange.launch()
    expect(report.code).toBe(1)
    expect(report.output.trim().split('\n').at(-1)).toMatch(
      /^wal-0 of journal-0 is no longer there.*ringbook salvage says what/,
    )
    expect(await run({})).toMatch(
      /^wal-0 of journal-0 is no longer there[\s\S]*Nothing was changed/,
    )
  }
  expect(await run({ yes: 'true' })).toContain('The folder starts again.')
  await exchange.run()
  await new Trader(exchange, 'trader1').place({ ...ORDER, price: '40000', quantity: '0.02' })
  expect((await exchange.stop('SIGTERM')).code).toBe(0)
  const control = ControlStore.open(data)
  expect([...control.entries()]).toContainEqual(
    expect.objectContaining({ fact: 'act', name: 'salvage' }),
  )
  control.close()
})

test('a start on an older copy of a journal is refused while an archive or snapshot has more', async () => {
  exchange = await ExchangeProcess.prepare(['--matchers', '1'])
  const trader = () => new Trader(exchange!, 'trader1')
  await exchange.run()
  await trader().place({ ...ORDER, price: '40000', quantity: '0.01' })
  await exchange.stop('SIGKILL')
  const { data } = exchange
  const journal = journalFolder(data, 0)
  const copy = `${data}-copy`
  try {
    fs.cpSync(journal, copy, { recursive: true })
    await exchange.run()
    await trader().place({ ...ORDER, price: '40000', quantity: '0.02' })
    // This query waits until the archive has the order.
    await trader().ask('GET', '/api/v3/allOrders', { symbol: 'BTCUSDT' })
    await exchange.stop('SIGKILL')
    recoverWals(data)
    expect(snapshotNow(data)).toMatchObject({ number: 1 })
    fs.rmSync(journal, { recursive: true })
    fs.cpSync(copy, journal, { recursive: true })
  } finally {
    fs.rmSync(copy, { recursive: true, force: true })
  }
  for (let i = 0; i < 2; i++) {
    const report = await exchange.launch()
    expect(report.code).toBe(1)
    expect(report.output.trim().split('\n').at(-1)).toMatch(
      /^journal-0 ends with block \d+, but the archive has block \d+: .* lost\. .*ringbook salvage says what/,
    )
  }
  expect(fs.existsSync(path.join(data, 'archive', 'data.mdb'))).toBe(true)
  const named = /has block[\s\S]*1 order, 0 trades\.\nAccounts: trader1\.\nOrders: BTCUSDT \d+\.\n/
  expect(await salvageIn(data, {})).toMatch(named)
  const archive = path.join(data, 'archive')
  fs.renameSync(archive, `${archive}-away`)
  const report = await exchange.launch()
  expect(report.code).toBe(1)
  expect(report.output).toMatch(
    /It is in snapshot 1, so it was lost since\. .*ringbook salvage says/,
  )
  expect(await salvageIn(data, {})).toMatch(/a snapshot has block[\s\S]*Nothing was changed/)
  fs.renameSync(`${archive}-away`, archive)
  expect(await salvageIn(data, { yes: 'true' })).toContain('The folder starts again.')
  expect(snapshotsIn(data)).toEqual([])
  await exchange.run()
  const orders = await trader().ask('GET', '/api/v3/allOrders', { symbol: 'BTCUSDT' })
  expect(orders).toHaveLength(1)
})
