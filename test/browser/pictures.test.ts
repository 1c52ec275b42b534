/**
 * Takes the pictures of the pages that README.md and docs show: `npm run pictures` keeps them, after a
 * minute of trading. Otherwise the test only proves that they can be taken.
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { hasTool } from '../runner/tools.ts'
import { launchChromium, openConsole, openPage, operate, signIn } from './chromium.ts'
import { adminUrlOf, enter, ownTokenOf, panel } from './operator-page.ts'

const FOLDER = 'docs/pictures'
const areKept = process.env.KEEP_PICTURES === 'yes'
/** Orders sent before the pictures. */
const ORDERS = areKept ? 6_000 : 60
/** Orders of the trader whose page is shown, in steps from the best price. */
const OWN_ORDERS = [-9, -6, -4, 3, 7]
/** An idle machine is behind by less. */
const LAG_MS_MAX = 50
const SIZE = { width: 1440, height: 900 }
/** A page that shows nothing takes less. */
const BYTES_MIN = 20_000
const BYTES_MAX = 400_000

describe.runIf(hasTool('chromium'))('pictures', () => {
  let exchange: ExchangeProcess
  let browser: Browser

  beforeAll(async () => {
    exchange = await ExchangeProcess.start(['--liquidity', 'on'])
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await exchange?.remove()
  })

  const client = (name: string) => new SignedClient(exchange.url, exchange.keys()[name]!)
  const order = { symbol: 'BTCUSDT', type: 'LIMIT', timeInForce: 'GTC' }

  async function middle(): Promise<number> {
    const response = await fetch(`${exchange.url}/api/v3/ticker/bookTicker?symbol=BTCUSDT`)
    const { bidPrice, askPrice } = (await response.json()) as Record<string, string>
    return (Number(bidPrice) + Number(askPrice)) / 2
  }

  /** Clients meet each other around a price that wanders, beside the quotes of the market makers. */
  async function trade(): Promise<void> {
    const clients = [client('maker'), client('taker')]
    const start = await middle()
    for (let i = 0; i < ORDERS; i++) {
      const wave = 12 * Math.sin(i / 150) + 5 * Math.sin(i / 17)
      const price = Math.round(start + wave + ((i * 7_919) % 5))
      const side = i % 2 === 0 ? 'BUY' : 'SELL'
      const quantity = (1 + ((i * 31) % 9)) / 1_000
      const values = { ...order, side, price, quantity, timeInForce: i % 2 === 0 ? 'GTC' : 'IOC' }
      await clients[i % 2]!.send('POST', '/api/v3/order', values)
    }
    await clients[0]!.send('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
    const now = await middle()
    for (const steps of OWN_ORDERS) {
      const side = steps < 0 ? 'BUY' : 'SELL'
      const values = { ...order, side, price: Math.round(now + 12 * steps), quantity: 0.05 }
      await client('trader1').send('POST', '/api/v3/order', values)
    }
  }

  async function take(page: Page, name: string): Promise<void> {
    const picture = await page.screenshot({ animations: 'disabled' })
    expect(picture.subarray(1, 4).toString()).toBe('PNG')
    expect(picture.readUInt32BE(16)).toBe(SIZE.width)
    expect(picture.length).toBeGreaterThan(BYTES_MIN)
    expect(picture.length).toBeLessThan(BYTES_MAX)
    if (!areKept) return
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(path.join(FOLDER, `${name}.png`), picture)
  }

  test('show the trader and the operator', { timeout: 300_000 }, async () => {
    const trader = await openConsole(browser, exchange.url, SIZE)
    await signIn(trader.page, 'trader1')
    const operator = await openPage(browser, adminUrlOf(exchange), SIZE)
    await enter(operator.page, ownTokenOf(exchange))
    await trade()
    await trader.page.locator('[data-order]').first().waitFor()
    await trader.page.getByRole('img', { name: /^Candles of BTCUSDT/ }).waitFor()
    await operator.page.getByRole('img', { name: /^Latency by stage.* match \d/ }).waitFor()
    await take(operator.page, 'operator')
    const lag = trader.page.locator('.lag')
    if (areKept)
      await expect
        .poll(async () => Number.parseInt(await lag.innerText(), 10))
        .toBeLessThan(LAG_MS_MAX)
    await take(trader.page, 'trader')
  })

  test('show the panels of a sandbox', { timeout: 120_000 }, async () => {
    const sandbox = await ExchangeProcess.start(['--sandbox', 'on', '--clock', 'virtual'])
    try {
      const lost = { name: 'lost', do: 'unknown', operation: 'placeOrder', every: 3 }
      await operate(sandbox, 'fault-add', lost)
      await operate(sandbox, 'fault-add', { name: 'slow', do: 'delay', ms: 40, account: 'taker' })
      await operate(sandbox, 'save', { name: 'monday' })
      await operate(sandbox, 'clock-pause', {})
      const { page } = await openPage(browser, adminUrlOf(sandbox), SIZE)
      await enter(page, ownTokenOf(sandbox))
      await panel(page, 'States')
        .getByRole('row', { name: /^monday state/ })
        .waitFor()
      await panel(page, 'States').evaluate((it) => it.scrollIntoView())
      await take(page, 'sandbox')
    } finally {
      await sandbox.remove()
    }
  })
})
