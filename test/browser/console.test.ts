/** The console in a real browser, against a real exchange. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { hasTool } from '../runner/tools.ts'
import {
  launchChromium,
  mirrorRows,
  openConsole,
  order,
  outcomeOf,
  overflowOf,
  type Shown,
  seriousFaults,
  signIn,
  switchCancelKeysOn,
} from './chromium.ts'

const LEVELS = 5

describe.runIf(hasTool('chromium'))('the console', consoleTests)

function consoleTests() {
  let exchange: ExchangeProcess
  let browser: Browser
  let maker: Shown
  let taker: Shown

  beforeAll(async () => {
    exchange = await ExchangeProcess.start(['--liquidity', 'off'])
    browser = await launchChromium()
    ;[maker, taker] = await Promise.all([
      openConsole(browser, exchange.url),
      openConsole(browser, exchange.url),
    ])
  })
  afterAll(async () => {
    await browser?.close()
    await exchange?.remove()
  })

  const client = (account: string) => new SignedClient(exchange.url, exchange.keys()[account]!)
  const tab = (shown: Shown, name: string) =>
    shown.page.getByRole('region', { name: 'Account' }).getByRole('button', { name }).click()

  /** What the table for screen readers must hold: asks from the worst to the best, then bids. */
  async function bestOfRest(symbol: string): Promise<string[][]> {
    const query = `symbol=${symbol}&limit=${LEVELS}`
    const { asks, bids } = (await (
      await fetch(`${exchange.url}/api/v3/depth?${query}`)
    ).json()) as {
      asks: [string, string][]
      bids: [string, string][]
    }
    const shown = (side: string) => (row: [string, string]) => [
      ...[side, Number(row[0]).toFixed(2), Number(row[1]).toFixed(5)],
    ]
    return [...asks.map(shown('Ask')).reverse(), ...bids.map(shown('Bid'))]
  }

  const expectBookOfRest = ({ page }: Shown) =>
    expect
      .poll(async () => ({ shown: await mirrorRows(page), rest: await bestOfRest('BTCUSDT') }))
      .toSatisfy(({ shown, rest }) => JSON.stringify(shown) === JSON.stringify(rest))

  test('two users trade, and both see the book, the trade, the candle and their funds', async () => {
    await Promise.all([signIn(maker.page, 'maker'), signIn(taker.page, 'taker')])
    const values = { price: '50000', quantity: '0.01' }
    expect(await order(maker.page, 'Sell', 'LIMIT', values)).toBe('SELL LIMIT: NEW')
    const resting = [['Ask', '50000.00', '0.01000']]
    for (const { page } of [maker, taker]) {
      await expect.poll(() => mirrorRows(page)).toEqual(resting)
    }
    await maker.page.locator('[data-order]').waitFor()
    expect(await order(taker.page, 'Buy', 'LIMIT', values)).toBe('BUY LIMIT: FILLED')
    await maker.page.locator('.news', { hasText: 'Sold 0.01 of BTCUSDT at 50,000' }).waitFor()
    await expect.poll(() => maker.page.locator('[data-order]').count()).toBe(0)
    for (const { page } of [maker, taker]) {
      await expect.poll(() => mirrorRows(page)).toEqual([])
      await page.locator('#last-price', { hasText: '50,000.00' }).waitFor()
      await page.getByRole('img', { name: 'Last trade at 50000.00' }).waitFor()
      await page.getByRole('img', { name: /^Candles of BTCUSDT, 1m.* close 50000,/ }).waitFor()
    }
    await tab(taker, 'Balances')
    const { body } = await client('taker').send('GET', '/api/v3/account')
    for (const { asset, free } of body.balances as { asset: string; free: string }[]) {
      const row = taker.page.locator(`tr[data-asset="${asset}"]`)
      if (Number(free) > 0)
        await row
          .getByText(Number(free).toLocaleString('en-US', { minimumFractionDigits: 8 }), {
            exact: true,
          })
          .first()
          .waitFor()
    }
    await tab(taker, 'Fills')
    await taker.page.getByRole('cell', { name: 'taker', exact: true }).waitFor()
    await tab(taker, 'Receipts')
    await taker.page.getByRole('img', { name: /^parse .*, ring .*, match .*, journal / }).waitFor()
    await tab(taker, 'Open orders')
  })

  test('every kind of order is placed from the ticket', async () => {
    const { page } = taker
    await switchCancelKeysOn(page)
    const asks = { symbol: 'BTCUSDT', side: 'SELL', type: 'LIMIT', timeInForce: 'GTC' }
    await client('maker').send('POST', '/api/v3/order', { ...asks, price: 50_000, quantity: 1 })
    const quantity = '0.01'
    const working = { workingPrice: '40000', workingQuantity: quantity }
    const kinds: [side: 'Buy' | 'Sell', kind: string, values: Record<string, string>][] = [
      ['Buy', 'LIMIT', { price: '40000', quantity, timeInForce: 'GTC', icebergQty: '0.005' }],
      ['Buy', 'LIMIT_MAKER', { price: '41000', quantity }],
      ['Buy', 'MARKET', { quantity }],
      ['Buy', 'MARKET', { quoteOrderQty: '100' }],
      ['Sell', 'STOP_LOSS', { stopPrice: '45000', quantity }],
      ['Sell', 'STOP_LOSS', { trailingDelta: '100', quantity }],
      ['Sell', 'STOP_LOSS_LIMIT', { stopPrice: '45000', price: '44000', quantity }],
      ['Sell', 'TAKE_PROFIT', { stopPrice: '55000', quantity }],
      ['Sell', 'TAKE_PROFIT_LIMIT', { stopPrice: '55000', price: '54000', quantity }],
      [
        'Sell',
        'OCO',
        { quantity, abovePrice: '60000', belowStopPrice: '45000', belowPrice: '44000' },
      ],
      [
        'Buy',
        'OTO',
        { ...working, pendingSide: 'SELL', pendingPrice: '60000', pendingQuantity: quantity },
      ],
      [
        'Buy',
        'OTOCO',
        {
          ...working,
          pendingSide: 'SELL',
          pendingQuantity: quantity,
          pendingAbovePrice: '60000',
          pendingBelowStopPrice: '39000',
          pendingBelowPrice: '38000',
        },
      ],
    ]
    const outcome = (kind: string) =>
      kind === 'MARKET' ? 'FILLED' : kind[0] === 'O' ? 'EXECUTING' : 'NEW'
    for (const [side, kind, values] of kinds) {
      const said = await order(page, side, kind, values)
      expect(said, `${kind} ${JSON.stringify(values)}`).toBe(
        `${side.toUpperCase()} ${kind}: ${outcome(kind)}`,
      )
      if (kind !== 'MARKET') await page.locator('[data-order]').first().waitFor()
      await page.locator('h1').click()
      await page.keyboard.press('Escape')
      await page.keyboard.press('Shift+X')
      await expect.poll(() => page.locator('[data-order]').count()).toBe(0)
    }
  })

  test('a refusal is shown in the words of the exchange', async () => {
    const values = { price: '50000', quantity: '0.01' }
    const said = await order(taker.page, 'Buy', 'LIMIT_MAKER', values)
    expect(said).toBe('BUY LIMIT_MAKER: Order would immediately match and take. (-2010)')
    await taker.page.locator('[name="price"]').fill('50000.001')
    await taker.page.getByText('Price must be a multiple of 0.01').waitFor()
  })

  test('an open order is reduced and replaced', async () => {
    const { page } = taker
    await order(page, 'Buy', 'LIMIT', { price: '30000', quantity: '0.02' })
    const row = page.locator('[data-order]')
    await row.getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('New quantity').fill('0.01')
    await page.getByRole('button', { name: 'Reduce' }).click()
    await outcomeOf(page).getByText('The quantity is now 0.01 BTC, 0 of it filled.').waitFor()
    await row.getByRole('cell', { name: '0.01000', exact: true }).waitFor()
    await row.getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('New price').fill('31000')
    await page.getByRole('button', { name: 'Replace' }).click()
    await row.getByRole('cell', { name: '31,000.00', exact: true }).waitFor()
    await outcomeOf(page)
      .getByText(
        /^Limit \d+: Nothing was filled\. The order was canceled: 0\.01 BTC\. Limit \d+: buy 0\.01 BTC at 31,000, open\.$/,
      )
      .waitFor()
    await expect.poll(() => row.count()).toBe(1)
    await row.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => row.count()).toBe(0)
    await page.locator('#notices[aria-busy="false"]', { hasText: 'Cancel: CANCELED' }).waitFor()
  })

  test("an operator's halt is seen, and no order can be sent until it ends", async () => {
    const { adminPort, data } = exchange
    const where = ['--admin-port', String(adminPort), '--data', data]
    const act = (name: string) =>
      promisify(execFile)(process.execPath, ['dist/src/main.js', name, 'BTCUSDT', ...where])
    await act('halt')
    await taker.page.locator('.halted', { hasText: /HALT|BREAK/ }).waitFor()
    const ticket = taker.page.getByRole('form', { name: 'Order ticket' })
    await ticket.getByText(/^BTCUSDT takes no orders: (HALT|BREAK)\.$/).waitFor()
    await ticket.locator('#order-kind').selectOption('LIMIT')
    await ticket.locator('[name="price"]').fill('30000')
    await ticket.locator('[name="quantity"]').fill('0.01')
    const send = ticket.getByRole('button', { name: 'Buy BTC' })
    expect(await send.isDisabled()).toBe(true)
    await act('resume')
    await taker.page.locator('.halted').waitFor({ state: 'detached' })
    await expect.poll(() => send.isEnabled()).toBe(true)
  })

  test('an auction is called: its price is shown, the ticket knows its orders, and it ends', async () => {
    const { adminPort, data } = exchange
    const where = ['--admin-port', String(adminPort), '--data', data]
    const setStatus = (status: string) =>
      promisify(execFile)(process.execPath, [
        ...['dist/src/main.js', 'symbol-status', 'BTCUSDT', status, '--yes', ...where],
      ])
    const { page } = taker
    await setStatus('PRE_TRADING')
    await page.locator('.halted', { hasText: 'PRE_TRADING' }).waitFor()
    const ticket = page.getByRole('form', { name: 'Order ticket' })
    await ticket.getByText('PRE_TRADING: orders gather, and trade together').waitFor()
    expect(await ticket.locator('#order-kind option').allInnerTexts()).toEqual(['Limit'])
    expect(await ticket.locator('[name="timeInForce"] option').allInnerTexts()).toEqual(['GTC'])
    const values = { price: '30000', quantity: '0.01' }
    expect(await order(page, 'Buy', 'LIMIT', values)).toBe('BUY LIMIT: NEW')
    const ask = { symbol: 'BTCUSDT', side: 'SELL', type: 'LIMIT', timeInForce: 'GTC' }
    await client('maker').send('POST', '/api/v3/order', {
      ...ask,
      price: '29999',
      quantity: '0.01',
    })
    const caption = page.locator('#ladder-mirror caption')
    await expect.poll(() => caption.textContent()).toContain('Crossed')
    await setStatus('AUCTION_MATCH')
    await page.locator('.halted', { hasText: 'AUCTION_MATCH' }).waitFor()
    await expect.poll(() => caption.textContent()).toMatch(/Auction (29,999|30,000)\.\d\d \(0\.01/)
    await page.getByRole('img', { name: /auction at (29999|30000)/ }).waitFor()
    await setStatus('TRADING')
    await page.locator('.halted').waitFor({ state: 'detached' })
    await page.locator('.news', { hasText: 'Bought 0.01 of BTCUSDT' }).last().waitFor()
    await expect.poll(() => caption.textContent()).not.toContain('Auction')
  })

  test('after a load the ladder is the book of REST', async () => {
    const clients = [client('trader1'), client('trader2')]
    const fixed = { symbol: 'BTCUSDT', type: 'LIMIT', timeInForce: 'GTC' }
    for (let i = 0; i < 120; i++) {
      const side = i % 2 === 0 ? 'BUY' : 'SELL'
      const price = 49_000 + ((i * 7_919) % 2_000)
      await clients[i % 2]!.send('POST', '/api/v3/order', { ...fixed, side, price, quantity: 0.01 })
    }
    await Promise.all([expectBookOfRest(maker), expectBookOfRest(taker)])
  })

  test('a click on the ladder, or keys in it, set the price', async () => {
    const { page } = taker
    await page.locator('#order-kind').selectOption('LIMIT')
    await page.locator('[name="price"]').fill('')
    const [best = []] = (await bestOfRest('BTCUSDT')).filter(([side]) => side === 'Bid')
    await page.getByRole('button', { name: /^Order book ladder/ }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('[name="price"]').inputValue()).toBe(best[1])
  })

  test('the page recovers by itself when the exchange comes back', async () => {
    expect([...maker.faults, ...taker.faults]).toEqual([])
    await exchange.stop('SIGTERM')
    await maker.page.locator('#connection', { hasText: 'Reconnecting' }).waitFor()
    await expect.poll(() => mirrorRows(maker.page)).toEqual([])
    await exchange.run()
    await maker.page.locator('#connection', { hasText: 'Live' }).waitFor()
    await expectBookOfRest(maker)
    const said = await order(maker.page, 'Buy', 'LIMIT', { price: '20000', quantity: '0.01' })
    expect(said).toBe('BUY LIMIT: NEW')
    await maker.page.locator('[data-order]').first().waitFor()
    // Chromium reports each connection that it could not make, and nothing else may be there.
    const isOther = (fault: string) => !/ERR_CONNECTION_REFUSED|WebSocket connection/.test(fault)
    expect([...maker.faults, ...taker.faults].filter(isOther)).toEqual([])
  })

  test.each([
    'dark',
    'light',
  ] as const)('axe finds nothing serious in %s colors', async (scheme) => {
    const sizes = [
      [1280, 860],
      [390, 800],
    ] as const
    for (const [width, height] of sizes) {
      const view = { width, height, colorScheme: scheme }
      const { page } = await openConsole(browser, exchange.url, view)
      expect(await seriousFaults(page)).toEqual([])
      if (width < 961) await page.getByRole('button', { name: 'Trade', exact: true }).click()
      await signIn(page, 'trader1')
      expect(await seriousFaults(page)).toEqual([])
      expect(await overflowOf(page)).toBeLessThanOrEqual(0)
      await page.context().close()
    }
  })

  test('the market is chosen by keys alone', async () => {
    const { page, faults } = await openConsole(browser, exchange.url)
    await page.keyboard.press('/')
    await page.locator('#search:focus').waitFor()
    await page.keyboard.type('ethb')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'ETH/BTC' }).waitFor()
    await page.locator('#connection', { hasText: 'Live' }).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })
}
