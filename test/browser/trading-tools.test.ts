/** What traders use beside plain orders: sizes, confirmations, lines on the chart, alerts, history, portfolio. */

import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { hasTool } from '../runner/tools.ts'
import {
  enter,
  launchChromium,
  openConsole,
  operate,
  overflowOf,
  saidOf,
  seriousFaults,
  signIn,
} from './chromium.ts'

/** What a browser loads of the trader's page, compressed. */
const PAGE_FOLDER = 'dist/src/console'
const FIRST_SCREEN_BYTES_MAX = 114_000

describe.runIf(hasTool('chromium'))("the trader's tools", () => {
  let exchange: ExchangeProcess
  let browser: Browser

  beforeAll(async () => {
    exchange = await ExchangeProcess.start(['--liquidity', 'off'])
    browser = await launchChromium()
    // The candle has a range, in which orders have lines.
    for (const price of [49_900, 50_100, 50_000]) {
      await place('maker', 'SELL', price, 0.01)
      await place('taker', 'BUY', price, 0.01)
    }
  })
  afterAll(async () => {
    await browser?.close()
    await exchange?.remove()
  })

  const client = (account: string) => new SignedClient(exchange.url, exchange.keys()[account]!)
  const place = (account: string, side: string, price: number, quantity: number, extra = {}) =>
    client(account).send('POST', '/api/v3/order', {
      symbol: 'BTCUSDT',
      side,
      type: 'LIMIT',
      timeInForce: 'GTC',
      price,
      quantity,
      ...extra,
    })
  const openOrders = async (account: string) =>
    (await client(account).send('GET', '/api/v3/openOrders')).body as unknown as Record<
      string,
      string
    >[]
  const cancelAll = (account: string, symbol = 'BTCUSDT') =>
    client(account).send('DELETE', '/api/v3/openOrders', { symbol })
  const ticketOf = (page: Page) => page.getByRole('form', { name: 'Order ticket' })
  const field = (page: Page, name: string) => ticketOf(page).locator(`[name="${name}"]`)
  const sendOf = (page: Page) => ticketOf(page).getByRole('button', { name: /^(Buy|Sell) \w{3}/ })
  const rowsOf = (page: Page) => page.locator('[data-order]')
  const tab = (page: Page, name: string) =>
    page.getByRole('region', { name: 'Account' }).getByRole('button', { name }).click()

  async function open(account: string, hash = ''): Promise<Page> {
    const { page } = await openConsole(browser, `${exchange.url}/${hash}`)
    await signIn(page, account)
    return page
  }

  /** A new account with funds, signed in. */
  async function openWith(account: string, funds: Readonly<Record<string, string>>) {
    await operate(exchange, 'account-open', { account })
    for (const [asset, amount] of Object.entries(funds))
      await operate(exchange, 'deposit', { account, asset, amount })
    const { apiKey = '', secretKey = '' } = await operate(exchange, 'key-create', { account })
    const { page } = await openConsole(browser, exchange.url)
    const signInAgain = async () => {
      await enter(page, apiKey, secretKey)
      await ticketOf(page).waitFor()
    }
    await signInAgain()
    return {
      page,
      signInAgain,
      own: new SignedClient(exchange.url, { account, apiKey, secretKey }),
    }
  }

  test('the first screen is small', () => {
    const sizes = readdirSync(PAGE_FOLDER)
      .filter((name) => /\.(js|css|html)\.br$/.test(name))
      .map((name) => statSync(path.join(PAGE_FOLDER, name)).size)
    expect(sizes).toHaveLength(3)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(FIRST_SCREEN_BYTES_MAX)
  })

  describe('the ticket', () => {
    test('100% is free funds, floored to the step; a market order buys by its amount', async () => {
      const { page } = await openWith('paula', { USDT: '1000', BTC: '0.1234567' })
      const share = (name: string) =>
        ticketOf(page).getByRole('button', { name, exact: true }).click()
      await field(page, 'price').fill('45000')
      await share('100%')
      expect(await field(page, 'quantity').inputValue()).toBe('0.02222')
      expect(await page.locator('#total-wanted').inputValue()).toBe('999.9')
      await page.getByLabel('Share of available funds').fill('50')
      expect(await field(page, 'quantity').inputValue()).toBe('0.01111')
      await share('100%')
      await sendOf(page).click()
      await saidOf(page, 'BUY LIMIT: NEW').waitFor()
      await page.getByRole('button', { name: 'Cancel', exact: true }).click()
      await expect.poll(() => rowsOf(page).count()).toBe(0)
      await ticketOf(page).getByRole('button', { name: 'Sell', exact: true }).click()
      await share('100%')
      expect(await field(page, 'quantity').inputValue()).toBe('0.12345')
      await page.locator('#order-kind').selectOption('MARKET')
      await ticketOf(page).getByRole('button', { name: 'Buy', exact: true }).click()
      await share('75%')
      expect(await field(page, 'quoteOrderQty').inputValue()).toBe('750')
      await ticketOf(page).getByRole('button', { name: 'Sell', exact: true }).click()
      await share('25%')
      expect(await field(page, 'quantity').inputValue()).toBe('0.03086')
      await page.context().close()
    })

    test('a total sets the quantity, and stays as typed while price and quantity stand', async () => {
      const page = await open('trader1')
      await field(page, 'price').fill('30000')
      const total = page.locator('#total-wanted')
      await total.fill('1000.')
      expect(await field(page, 'quantity').inputValue()).toBe('0.03333')
      await place('trader1', 'BUY', 20_000, 0.01)
      await rowsOf(page).first().waitFor()
      expect(await total.inputValue()).toBe('1000.')
      await field(page, 'quantity').fill('0.5')
      expect(await total.inputValue()).toBe('15000')
      await cancelAll('trader1')
      await page.context().close()
    })

    test('begins with the best price of its side, and steps by ticks', async () => {
      await place('maker', 'SELL', 50_100, 0.1)
      await place('maker', 'BUY', 49_900, 0.1)
      const page = await open('trader1')
      const price = field(page, 'price')
      await expect.poll(() => price.inputValue()).toBe('49900.00')
      await ticketOf(page).getByRole('button', { name: 'Sell', exact: true }).click()
      await expect.poll(() => price.inputValue()).toBe('50100.00')
      await price.press('ArrowUp')
      expect(await price.inputValue()).toBe('50100.01')
      await price.press('Shift+ArrowDown')
      expect(await price.inputValue()).toBe('50099.91')
      await price.hover()
      await page.mouse.wheel(0, -100)
      await expect.poll(() => price.inputValue()).toBe('50099.92')
      // A price that was typed stays, whatever the side is.
      await ticketOf(page).getByRole('button', { name: 'Buy', exact: true }).click()
      expect(await price.inputValue()).toBe('50099.92')
      await ticketOf(page).getByRole('button', { name: 'Best bid' }).click()
      expect(await price.inputValue()).toBe('49900.00')
      await cancelAll('maker')
      await page.context().close()
    })

    test('presets set stops on the side on which they wait', async () => {
      const page = await open('trader1')
      await page.locator('#order-kind').selectOption('STOP_LOSS')
      await ticketOf(page).getByRole('button', { name: 'Sell', exact: true }).click()
      await ticketOf(page).getByRole('button', { name: '−5%' }).click()
      expect(await field(page, 'stopPrice').inputValue()).toBe('47500')
      await ticketOf(page).getByRole('button', { name: 'Buy', exact: true }).click()
      await ticketOf(page).getByRole('button', { name: '+2%', exact: true }).click()
      expect(await field(page, 'stopPrice').inputValue()).toBe('51000')
      await field(page, 'stopPrice').fill('')
      await ticketOf(page).getByRole('button', { name: '0.5%', exact: true }).click()
      expect(await field(page, 'trailingDelta').inputValue()).toBe('50')
      await page.context().close()
    })

    test('asks before it sends, where that was chosen, about what is typed then', async () => {
      const page = await open('trader1')
      await page.getByLabel('Ask before an order is sent').check()
      const question = page.getByRole('alertdialog', { name: 'Send this order?' })
      await field(page, 'price').fill('30000')
      await field(page, 'quantity').fill('0.01')
      await sendOf(page).dblclick()
      await question
        .getByText(/^Buy BTCUSDT, Limit: Price 30000 USDT, Quantity 0\.01 BTC/)
        .waitFor()
      expect(await openOrders('trader1')).toEqual([])
      await field(page, 'quantity').fill('0.02')
      expect(await question.count()).toBe(0)
      await field(page, 'quantity').press('Enter')
      await question.getByRole('button', { name: 'Send order' }).click()
      await saidOf(page, 'BUY LIMIT: NEW').waitFor()
      expect(await openOrders('trader1')).toMatchObject([{ origQty: '0.02000000' }])
      expect(await question.count()).toBe(0)
      await page.reload()
      await signIn(page, 'trader1')
      expect(await page.getByLabel('Ask before an order is sent').isChecked()).toBe(true)
      await cancelAll('trader1')
      await page.context().close()
    })
  })

  test('all orders of all markets are canceled after one question, and each market is told', async () => {
    const page = await open('trader2')
    for (const price of [30_000, 30_001]) await place('trader2', 'BUY', price, 0.01)
    await place('trader2', 'BUY', 1_000, 0.1, { symbol: 'ETHUSDT' })
    await page.locator('.count', { hasText: '3' }).waitFor()
    await page.getByRole('button', { name: 'Cancel all', exact: true }).click()
    await page.getByText('Cancel all 3 open orders of 2 markets?').waitFor()
    await page.getByRole('button', { name: 'Keep' }).click()
    expect(await openOrders('trader2')).toHaveLength(3)
    await page.getByRole('button', { name: 'Cancel all', exact: true }).click()
    await page.getByRole('button', { name: 'Cancel orders' }).click()
    await saidOf(page, 'Cancel all of BTCUSDT: 2 orders canceled').waitFor()
    await saidOf(page, 'Cancel all of ETHUSDT: 1 order canceled').waitFor()
    await saidOf(page, 'Cancel all: done in 2 of 2 markets').waitFor()
    expect(await openOrders('trader2')).toEqual([])
    await page.context().close()
  })

  describe('the chart', () => {
    const lineOf = (page: Page) => page.locator('.order-tag.movable:not([hidden])')

    /** Drags a tag by so many pixels. */
    async function drag(page: Page, tag: Locator, pixels: number): Promise<void> {
      const box = (await tag.boundingBox())!
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x, y + pixels / 2)
      await page.mouse.move(x, y + pixels)
    }

    test('has own orders as lines, which are dragged to another price', async () => {
      await place('trader1', 'BUY', 49_999, 0.02)
      const page = await open('trader1')
      const tag = lineOf(page)
      await tag.filter({ hasText: 'Buy 0.02' }).waitFor()
      await drag(page, tag, 40)
      await tag.filter({ hasText: /^Buy 0\.02 → / }).waitFor()
      await page.keyboard.press('Escape')
      await page.mouse.up()
      await tag.filter({ hasText: /^Buy 0\.02$/ }).waitFor()
      expect(await openOrders('trader1')).toMatchObject([{ price: '49999.00000000' }])
      await drag(page, tag, 40)
      const text = await tag.innerText()
      await page.mouse.up()
      await saidOf(page, 'Replace: NEW').waitFor()
      const [order] = await openOrders('trader1')
      expect(Number(order!.price)).toBe(Number(text.split('→ ')[1]!.replaceAll(',', '')))
      expect(Number(order!.price)).toBeLessThan(49_999)
      // The newest hundred have lines.
      for (let i = 0; i < 100; i++) await place('trader1', 'BUY', 49_000 + i, 0.001)
      await expect.poll(() => page.locator('.order-tag').count()).toBe(100)
      await tag.filter({ hasText: 'Buy 0.02' }).waitFor({ state: 'detached' })
      await cancelAll('trader1')
      await expect.poll(() => lineOf(page).count()).toBe(0)
      await page.context().close()
    })

    test('has them dragged by touch, and asks first where that was chosen', async () => {
      await place('trader1', 'BUY', 49_999, 0.02)
      const page = await open('trader1')
      await page.getByLabel('Ask before an order is sent').check()
      const tag = lineOf(page)
      await tag.waitFor()
      const box = (await tag.boundingBox())!
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      const touch = await page.context().newCDPSession(page)
      const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number) =>
        touch.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: at === undefined ? [] : [{ x, y: at }],
        })
      await send('touchStart', y)
      await send('touchMove', y + 20)
      await send('touchMove', y + 40)
      await tag.filter({ hasText: '→' }).waitFor()
      await send('touchEnd')
      const form = page.getByRole('form', { name: /^Change order/ })
      await form.getByRole('button', { name: 'Replace' }).click()
      await saidOf(page, 'Replace: NEW').waitFor()
      const [order] = await openOrders('trader1')
      expect(Number(order!.price)).toBeLessThan(49_999)
      await cancelAll('trader1')
      await page.context().close()
    })

    test('follows fills of an order, also while its line is dragged', async () => {
      await place('trader1', 'BUY', 49_999, 0.02)
      const page = await open('trader1')
      const tag = lineOf(page)
      await tag.waitFor()
      await drag(page, tag, 40)
      await place('maker', 'SELL', 49_999, 0.005)
      await page.locator('.news').waitFor()
      await page.mouse.up()
      await saidOf(page, 'Replace: NEW').waitFor()
      expect(await openOrders('trader1')).toMatchObject([{ origQty: '0.01500000' }])
      await page.getByRole('img', { name: /own fills: 1 bought, 0 sold$/ }).waitFor()
      await cancelAll('trader1')
      await page.context().close()
    })

    test('has a legend of the candle under the crosshair, and averages that can be hidden', async () => {
      const { page } = await openConsole(browser, exchange.url)
      await page.route('**/api/v3/klines?*', (route) => {
        const is5m = new URL(route.request().url()).searchParams.get('interval') === '5m'
        const periodMs = is5m ? 300_000 : 60_000
        // The last one is the present one, which candles of the stream go on with.
        const lastMs = Math.floor(Date.now() / periodMs) * periodMs
        const rows = Array.from({ length: 120 }, (_, i) => {
          const [close, volume] = [String(50_000 + i), String(i)]
          return [lastMs - (119 - i) * periodMs, '50000', '50200', '49900', close, volume]
        })
        return route.fulfill({ json: rows })
      })
      const legend = page.locator('.legend')
      await legend
        .getByText(/^O [\d,]+\.\d\d H [\d,]+\.\d\d L [\d,]+\.\d\d C [\d,]+\.\d\d/)
        .waitFor()
      await page.getByRole('button', { name: '5m', exact: true }).click()
      await legend.getByText('VMA 20').waitFor()
      // A chart that is drawn after a move has no crosshair until the next, and may stand elsewhere.
      let shown = ''
      const atCrosshair = async () => {
        const box = (await page.locator('.candles').boundingBox())!
        await page.mouse.move(box.x + box.width * 0.7, box.y + box.height / 2)
        await page.mouse.move(box.x + box.width * 0.8, box.y + box.height / 2)
        shown = await legend.innerText()
        return shown
      }
      const bar = /O 50,000\.00 H 50,200\.00 L 49,900\.00 C 50,1\d\d\.00 0\./
      await expect.poll(atCrosshair).toMatch(bar)
      // A candle of the stream may take the legend at the next moment.
      const text = shown.replaceAll(',', '')
      const figure = (name: string) => Number(text.split(`${name} `)[1]!.split(/\s/)[0])
      const close = figure('C')
      expect([figure('MA 7'), figure('MA 25'), figure('MA 99')]).toEqual([
        ...[close - 3, close - 12, close - 49],
      ])
      expect(figure('VMA 20')).toBe(close - 50_000 - 9.5)
      await page.getByRole('button', { name: 'Averages' }).click()
      await expect.poll(() => legend.innerText()).not.toContain('MA')
      await page.reload()
      await legend.getByText(/^O /).waitFor()
      expect(await legend.innerText()).not.toContain('MA')
      await page.context().close()
    })
  })

  describe('the book', () => {
    test('shows one side alone, sums at the pointer, and remembers its view', async () => {
      for (const [price, quantity] of [
        [60_000, 1],
        [60_010, 3],
      ] as const)
        await place('maker', 'SELL', price, quantity)
      const { page } = await openConsole(browser, exchange.url)
      const ladder = page.getByRole('region', { name: 'Order book' })
      await ladder.getByRole('button', { name: 'Asks', exact: true }).click()
      const box = (await ladder.locator('canvas').boundingBox())!
      // The second row above the spread, which lies at the foot.
      await page.mouse.move(box.x + box.width / 2, box.y + box.height - 34 - 30)
      await ladder.getByText('4.00000 BTC, 240,030 USDT, average 60,007.50').waitFor()
      await page.reload()
      const asks = ladder.getByRole('button', { name: 'Asks', exact: true })
      expect(await asks.getAttribute('aria-pressed')).toBe('true')
      await cancelAll('maker')
      await page.context().close()
    })

    test('and the other panels take the sizes that were set, and remember them', async () => {
      const { page } = await openConsole(browser, exchange.url, { width: 1440, height: 900 })
      const ladder = page.getByRole('region', { name: 'Order book' })
      const before = (await ladder.boundingBox())!
      const edge = page.getByRole('separator', { name: 'Width of the order book' })
      await edge.press('ArrowLeft')
      await expect.poll(async () => (await ladder.boundingBox())!.width).toBe(before.width + 12)
      const box = (await edge.boundingBox())!
      await page.mouse.move(box.x + 3, box.y + 100)
      await page.mouse.down()
      await page.mouse.move(box.x + 3 - 50, box.y + 100)
      await page.mouse.up()
      const { width } = (await ladder.boundingBox())!
      expect(width).toBeGreaterThan(before.width + 40)
      await page.reload()
      await expect.poll(async () => (await ladder.boundingBox())?.width).toBe(width)
      // What is no layout is none.
      await page.evaluate(`localStorage.setItem('layout', '{"book": 9999, "account": "x"}')`)
      await page.reload()
      await expect.poll(async () => (await ladder.boundingBox())?.width).toBe(before.width)
      await page.context().close()
    })
  })

  test('markets are found by favourites and quote asset, and sorted; the title has the price', async () => {
    const { page } = await openConsole(browser, exchange.url)
    await expect.poll(() => page.title()).toMatch(/^[\d,]+ BTCUSDT · Ringbook$/)
    const list = page.getByRole('region', { name: 'Markets' })
    const names = () =>
      list
        .locator('.symbol')
        .evaluateAll((all) => all.map((it) => it.querySelector('span')!.innerText))
    await list.getByRole('button', { name: 'BTC', exact: true }).click()
    await expect.poll(names).toEqual(['ETH/BTC'])
    await list.getByRole('button', { name: 'Favourite ETHBTC' }).click()
    await list.getByRole('button', { name: 'All', exact: true }).click()
    await list.getByRole('button', { name: 'Favourite BTCUSDT' }).click()
    await list.getByRole('button', { name: 'Favourites', exact: true }).click()
    await expect.poll(names).toEqual(['BTC/USDT', 'ETH/BTC'])
    await list.getByRole('button', { name: 'Sort by Market' }).click()
    await expect.poll(names).toEqual(['ETH/BTC', 'BTC/USDT'])
    await page.reload()
    await expect.poll(names).toEqual(['ETH/BTC', 'BTC/USDT'])
    await page.context().close()
  })

  test('of thousands of markets only those in sight are rendered', async () => {
    const { page } = await openConsole(browser, exchange.url)
    await page.route('**/api/v3/exchangeInfo', async (route) => {
      const answer = await route.fetch()
      const info = (await answer.json()) as { symbols: { symbol: string }[] }
      const [first] = info.symbols
      const more = Array.from({ length: 4_000 }, (_, i) => ({ ...first, symbol: `COIN${i}USDT` }))
      await route.fulfill({ json: { ...info, symbols: [...info.symbols, ...more] } })
    })
    await page.reload()
    const list = page.getByRole('list', { name: '4006 markets' })
    await list.waitFor()
    expect(await page.locator('.symbol').count()).toBeLessThan(60)
    await page.getByRole('region', { name: 'List of markets' }).evaluate((it) => {
      it.scrollTop = it.scrollHeight
    })
    await page.getByRole('button', { name: 'Favourite COIN3999USDT' }).waitFor()
    expect(await page.locator('.symbol').count()).toBeLessThan(60)
    // The newest 256 favourites are kept.
    const kept = () => page.evaluate(`JSON.parse(localStorage.getItem('favourites'))`)
    await page.evaluate(`localStorage.setItem('favourites',
      JSON.stringify(Array.from({ length: 300 }, (_, i) => 'COIN' + i + 'USDT')))`)
    await page.reload()
    await page.getByRole('button', { name: 'Favourite BTCUSDT' }).click()
    await expect.poll(kept).toHaveLength(256)
    expect(await kept()).toMatchObject({ 0: 'COIN1USDT', 254: 'COIN255USDT', 255: 'BTCUSDT' })
    await page.context().close()
  })

  describe('the past', () => {
    test('has averages, fees and totals, filters, pages and a file', async () => {
      const { page } = await openWith('peter', { USDT: '100000' })
      await place('maker', 'SELL', 50_000, 0.01)
      await place('maker', 'SELL', 50_100, 0.02)
      await page.locator('#order-kind').selectOption('MARKET')
      await field(page, 'quantity').fill('0.03')
      await expect.poll(() => sendOf(page).isEnabled()).toBe(true)
      await sendOf(page).click()
      await saidOf(page, 'BUY MARKET: FILLED').waitFor()
      await tab(page, 'History')
      const rows = page.locator('.account .rows tbody tr')
      await expect.poll(() => rows.count()).toBe(1)
      const cells = await rows.getByRole('cell').allInnerTexts()
      expect(cells[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
      expect(cells.slice(3, 7)).toEqual([...['market', '50,066.66', '0.03000 of 0.03000', '1,502']])
      await expect.poll(() => rows.getByRole('cell').nth(7).innerText()).toMatch(/ BTC$/)
      await tab(page, 'Fills')
      await expect.poll(() => rows.count()).toBe(2)
      const filters = page.locator('.filters')
      await filters.getByLabel('Side').selectOption('Sell')
      await expect.poll(() => rows.count()).toBe(0)
      await filters.getByLabel('Side').selectOption('Buy')
      await filters.getByLabel('Until').fill('2020-01-01')
      await expect.poll(() => rows.count()).toBe(0)
      await filters.getByLabel('Until').fill('')
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save as CSV' }).click(),
      ])
      expect(file.suggestedFilename()).toBe('BTCUSDT-fills.csv')
      const lines = readFileSync(await file.path(), 'utf8').split('\r\n')
      expect(lines[0]).toBe(
        'time,symbol,id,orderId,side,price,qty,quoteQty,commission,commissionAsset,role',
      )
      expect(lines[1]).toMatch(/,BTCUSDT,\d+,\d+,BUY,50100\.0+,0\.02000000,1002\.0+,/)
      expect(lines).toHaveLength(4)
      await page.context().close()
    })

    test('is read further back, a page at a time', async () => {
      const { page, own, signInAgain } = await openWith('petra', { USDT: '100000' })
      for (let i = 0; i < 120; i++) {
        await own.send('POST', '/api/v3/order', {
          symbol: 'BTCUSDT',
          side: 'BUY',
          type: 'LIMIT',
          timeInForce: 'GTC',
          price: 30_000 + i,
          quantity: 0.001,
        })
      }
      await own.send('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
      await page.reload()
      await signInAgain()
      await tab(page, 'History')
      await page.getByText('Page 1 of 2, 100 of 100 that are read').waitFor()
      for (let i = 0; i < 2; i++) await page.getByRole('button', { name: 'Older' }).click()
      await page.getByText('Page 3 of 3, 120 of 120 that are read').waitFor()
      await page.locator('.account').getByText('30,000.00', { exact: true }).waitFor()
      expect(await page.getByRole('button', { name: 'Older' }).isDisabled()).toBe(true)
      await page.context().close()
    })
  })

  test('alerts wait for a price, over a reload, and are told once; fills stay where that was chosen', async () => {
    const page = await open('trader2', '#BTCUSDT')
    await tab(page, 'Alerts')
    const form = page.getByRole('form', { name: 'Alerts' })
    await form.getByLabel('Price of BTCUSDT').fill('52000')
    await form.getByRole('button', { name: 'Add alert' }).click()
    await page.getByRole('cell', { name: 'at or above 52,000' }).waitFor()
    await form.getByLabel('Keep each fill').check()
    await page.reload()
    await signIn(page, 'trader2')
    await page.getByRole('cell', { name: 'at or above 52,000' }).waitFor()
    await place('maker', 'SELL', 52_000, 0.01)
    await place('trader2', 'BUY', 52_000, 0.01)
    const told = page.locator('.notice.alert')
    await told.filter({ hasText: 'BTCUSDT has reached 52,000: 52,000' }).waitFor()
    await told.filter({ hasText: 'Bought 0.01 of BTCUSDT at 52,000' }).waitFor()
    await page.getByText('No alert waits for a price.').waitFor()
    expect(await told.count()).toBe(2)
    // The first 50 of a larger store wait, and no more are taken.
    const many = Array.from({ length: 51 }, (_, i) => {
      return { symbol: 'BTCUSDT', price: String(60_000 + i), isAbove: true }
    })
    await page.evaluate(`localStorage.setItem('alerts', '${JSON.stringify(many)}')`)
    await page.reload()
    await signIn(page, 'trader2')
    await page.getByText('There can be 50 alerts.').waitFor()
    await page.getByRole('cell', { name: 'at or above 60,049' }).waitFor()
    expect(await page.getByRole('cell', { name: 'at or above' }).count()).toBe(50)
    await form.getByLabel('Price of BTCUSDT').fill('53000')
    expect(await form.getByRole('button', { name: 'Add alert' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Remove' }).first().click()
    await expect.poll(() => form.getByRole('button', { name: 'Add alert' }).isEnabled()).toBe(true)
    // A broken store has none.
    await page.evaluate(`localStorage.setItem('alerts', '[{"symbol": 1}, null, 7]')`)
    await page.reload()
    await page.getByText('No alert waits for a price.').waitFor()
    await page.context().close()
  })

  test('the portfolio has values and profits by average cost, and says what it does not know', async () => {
    const { page } = await openWith('pablo', { USDT: '100000', BTC: '1' })
    await place('maker', 'SELL', 50_000, 1)
    await field(page, 'price').fill('50000')
    await field(page, 'quantity').fill('1')
    await sendOf(page).click()
    await saidOf(page, 'BUY LIMIT: FILLED').waitFor()
    await tab(page, 'Portfolio')
    await page.getByText('have no known cost').waitFor()
    const row = page.locator('[data-market="BTCUSDT"]')
    await row.getByRole('button', { name: 'Read fills' }).click()
    await row.getByText('1 fills').waitFor()
    const cells = async () => (await row.getByRole('cell').allInnerTexts()).slice(1, 7)
    const known = await cells()
    expect(known.at(-1)).toBe('1.00000 BTC')
    // Another trade moves the price, and an event the position.
    await place('maker', 'SELL', 51_000, 1)
    await field(page, 'price').fill('51000')
    await field(page, 'quantity').fill('0.5')
    await sendOf(page).click()
    await row.getByText('2 fills').waitFor()
    await expect.poll(async () => (await cells())[3]).not.toBe(known[3])
    await page.getByLabel('Count in').selectOption('BTC')
    await page.locator('#portfolio', { hasText: /^In all [\d.,]+ BTC, profit / }).waitFor()
    await cancelAll('maker')
    await page.context().close()
  })

  test.each([
    ['dark', 1280, 860],
    ['dark', 390, 800],
    ['light', 1280, 860],
    ['light', 390, 800],
  ] as const)('axe finds nothing serious in them, and nothing overflows, %s, %i wide', async (colorScheme, width, height) => {
    const { page } = await openConsole(browser, exchange.url, { width, height, colorScheme })
    const view = (name: string) =>
      width < 961
        ? page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name }).click()
        : Promise.resolve()
    await view('Trade')
    await signIn(page, 'taker')
    await page.locator('#order-kind').selectOption('STOP_LOSS_LIMIT')
    expect(await seriousFaults(page)).toEqual([])
    await view('Account')
    for (const name of ['History', 'Fills', 'Portfolio', 'Alerts']) {
      await tab(page, name)
      expect(await seriousFaults(page)).toEqual([])
      expect(await overflowOf(page)).toBeLessThanOrEqual(0)
    }
    await view('Book')
    expect(await seriousFaults(page)).toEqual([])
    await page.context().close()
  })
})
