/** An exchange whose symbols come from another venue's exchangeInfo answer. */
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { startExchange } from '../../../src/index.ts'
import { madeExchangeInfo, madeSymbol } from '../../fixtures/made-exchange-info.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const folder = temporaryFolder()
const file = path.join(folder, 'exchange-info.json')
const data = path.join(folder, 'data')

const start = (lines: string[] = []) =>
  startExchange({
    folder: data,
    log: (line) => lines.push(line),
    // With the usual room for orders, two starts reserve 15 GB in the test's process.
    settings: { 'symbols-from': file, 'log-level': 'info', 'orders-per-symbol': 1_024 },
  })
type Info = { readonly symbols: readonly Readonly<Record<string, unknown>>[] }
const infoOf = async (url: string): Promise<Info> =>
  (await (await fetch(`${url}/api/v3/exchangeInfo`)).json()) as Info

test('3,600 symbols are listed once, trade, and are there after a restart without the file', async () => {
  const unlisted = { ...madeSymbol('NEW', 'USDT', 0), status: 'OPEN' }
  writeFileSync(file, madeExchangeInfo(3_600, 600, [unlisted]))
  const lines: string[] = []
  const exchange = await start(lines)
  const { symbols } = await infoOf(exchange.url)
  // The demo's six are there too.
  expect(symbols).toHaveLength(3_606)
  const { permissionSets: _, ...found } = symbols.at(-1)!
  expect(found).toMatchObject({ symbol: 'AXBXTRY', status: 'BREAK', allowTrailingStop: false })
  expect(lines.join('')).toContain('1 symbol not listed (its status OPEN is not known): NEWUSDT')
  const maker = new SignedClient(exchange.url, { account: 'maker', ...exchange.accounts.maker! })
  const order = { side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', price: '0.5', quantity: '100' }
  const placed = await maker.send('POST', '/api/v3/order', { symbol: 'AAAXUSDT', ...order })
  expect(placed).toMatchObject({ status: 200, body: { status: 'NEW' } })
  await exchange.close()

  rmSync(file)
  // What the first one reserved is free again: the second must not take it as memory that was used.
  collect()
  const again = await start()
  expect(await infoOf(again.url)).toMatchObject({ symbols })
  expect(process.memoryUsage.rss()).toBeLessThan(4 * 2 ** 30)
  await again.close()
}, 300_000)

test('a file that cannot be used ends the start with a sentence', async () => {
  const other = (name: string, text?: string) => {
    const from = path.join(folder, name)
    if (text !== undefined) writeFileSync(from, text)
    return startExchange({ settings: { 'symbols-from': from } })
  }
  await expect(other('none.json')).rejects.toThrow('none.json cannot be used: it does not exist.')
  await expect(other('bad.json', '{')).rejects.toThrow(
    'bad.json cannot be used: it is not JSON: line 1, column 2: the text ends.',
  )
})
