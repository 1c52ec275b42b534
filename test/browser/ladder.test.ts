/** The ladder and the charts of the trader's page, in a real browser. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Page, WebSocketRoute } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { hasTool } from '../runner/tools.ts'
import {
  launchChromium,
  mirrorCells,
  mirrorRows,
  openConsole,
  type Shown,
  signIn,
} from './chromium.ts'

/** Rows of each side that the table for screen readers has. */
const ROWS = 5
const LOAD_MS = 30_000
/** What the load must have placed, however slow the machine is. */
const LOAD_ORDERS = 3_000
const [LEVELS_A_SECOND, TRADES_A_SECOND] = ['600', '60']
/** Sizes of the canvas (src/console/ladder/paint-ladder.ts). */
const [ROW_HEIGHT, SPREAD_HEIGHT] = [20, 34]
/** The accent of the dark theme, which marks own orders. */
const ACCENT = [125, 176, 255]

type Side = readonly [price: string, quantity: string][]

describe.runIf(hasTool('chromium'))('the ladder and the charts', () => {
  let exchange: ExchangeProcess
  let browser: Browser
  let maker: Shown
  let taker: Shown

  beforeAll(async () => {
    exchange = await ExchangeProcess.start(['--liquidity', 'off'])
    browser = await launchChromium()
    maker = await openConsole(browser, exchange.url)
    taker = await openConsole(browser, exchange.url)
    await signIn(maker.page, 'maker')
    await signIn(taker.page, 'taker')
  })
  afterAll(async () => {
    await browser?.close()
    await exchange?.remove()
  })

  const client = (account: string) => new SignedClient(exchange.url, exchange.keys()[account]!)
  const ladderOf = (page: Page) => page.getByRole('button', { name: /^Order book ladder/ })
  const order = { symbol: 'BTCUSDT', type: 'LIMIT', timeInForce: 'GTC' }
  const place = (account: string, side: string, price: number, quantity: number) =>
    client(account).send('POST', '/api/v3/order', { ...order, side, price, quantity })

  /** What the table must hold by REST's depth, with levels joined in steps of so many cents. */
  async function rowsOfRest(cents: number): Promise<string[][]> {
    const answer = await fetch(`${exchange.url}/api/v3/depth?symbol=BTCUSDT&limit=5000`)
    const { asks, bids } = (await answer.json()) as { asks: Side; bids: Side }
    const joined = (name: string, side: Side, round: (value: number) => number) => {
      const groups = new Map<number, number>()
      for (const [price, quantity] of side) {
        const group = round(Math.round(Number(price) * 100) / cents) * cents
        const lots = Math.round(Number(quantity) * 1e5)
        groups.set(group, (groups.get(group) ?? 0) + lots)
      }
      return [...groups]
        .slice(0, ROWS)
        .map(([price, lots]) => [name, (price / 100).toFixed(2), (lots / 1e5).toFixed(5)])
    }
    return [...joined('Ask', asks, Math.ceil).reverse(), ...joined('Bid', bids, Math.floor)]
  }

  const stepOf = (page: Page) => page.getByLabel('Price step')
  async function expectBookOfRest(page: Page): Promise<void> {
    const steps = await stepOf(page).locator('option').all()
    for (const option of steps) {
      const [value = ''] = [await option.getAttribute('value')].filter((it) => it !== null)
      const cents = Math.round(Number((await option.innerText()).replaceAll(',', '')) * 100)
      await stepOf(page).selectOption(value)
      await expect
        .poll(async () => ({ shown: await mirrorRows(page), rest: await rowsOfRest(cents) }))
        .toSatisfy(({ shown, rest }) => JSON.stringify(shown) === JSON.stringify(rest))
    }
    await stepOf(page).selectOption({ index: 0 })
  }

  /** The color of the ladder's left edge in the row of the best price. */
  const edgeOf = (page: Page, isBid: boolean): Promise<number[]> => {
    const below = (isBid ? 1 : -1) * (SPREAD_HEIGHT / 2 + ROW_HEIGHT / 2)
    return page.evaluate(`(() => {
      const canvas = document.querySelector('.ladder canvas')
      const scale = canvas.width / canvas.clientWidth
      const y = (canvas.clientHeight / 2 + ${below}) * scale
      const { data } = canvas.getContext('2d').getImageData(scale, y, 1, 1)
      return [...data].slice(0, 3)
    })()`)
  }

  /** Whether the canvas has a pixel, between two shares of its width, in which a channel prevails. */
  const isPainted = (page: Page, from: number, to: number, most: number, least: number) =>
    page.evaluate(`(() => {
      const canvas = document.querySelector('.chart canvas')
      const width = canvas.width * ${to - from}
      const area = [canvas.width * ${from}, 0, width, canvas.height].map(Math.round)
      const { data } = canvas.getContext('2d').getImageData(...area)
      for (let at = 0; at < data.length; at += 4) {
        if (data[at + ${most}] > 120 && data[at + ${least}] < data[at + ${most}] - 60) return true
      }
      return false
    })()`)

  test('own orders are marked, for eyes and for screen readers, and those of others are not', async () => {
    await place('maker', 'SELL', 50_000, 0.3)
    await place('taker', 'BUY', 49_000, 0.2)
    const rows = (own: readonly [string, string]) => [
      ['Ask', '50000.00', '0.30000', own[0]],
      ['Bid', '49000.00', '0.20000', own[1]],
    ]
    await expect.poll(() => mirrorCells(maker.page)).toEqual(rows(['0.30000', '0.00000']))
    await expect.poll(() => mirrorCells(taker.page)).toEqual(rows(['0.00000', '0.20000']))
    await expect.poll(() => edgeOf(maker.page, false)).toEqual(ACCENT)
    await expect.poll(() => edgeOf(taker.page, true)).toEqual(ACCENT)
    expect(await edgeOf(maker.page, true)).not.toEqual(ACCENT)
    expect(await edgeOf(taker.page, false)).not.toEqual(ACCENT)
  })

  test('a click in it sets the price of the ticket', async () => {
    const { page } = taker
    const price = page.locator('[name="price"]')
    const box = (await ladderOf(page).boundingBox())!
    const row = (count: number) => Math.sign(count) * (SPREAD_HEIGHT + ROW_HEIGHT) * 0.5
    for (const [side, expected] of [
      [-1, '50000.00'],
      [1, '49000.00'],
    ] as const) {
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2 + row(side))
      await expect.poll(() => price.inputValue()).toBe(expected)
    }
    // Between the sides there is nothing to set.
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    expect(await price.inputValue()).toBe('49000.00')
  })

  test('the depth chart draws both sides', async () => {
    const { page } = maker
    const chart = page.getByRole('region', { name: 'Chart' })
    await chart.getByRole('button', { name: 'Depth', exact: true }).click()
    const label = 'Depth of BTCUSDT: totals of bids and asks by price'
    await chart.getByRole('img', { name: label }).waitFor()
    await expect.poll(() => isPainted(page, 0, 0.4, 1, 0)).toBe(true)
    await expect.poll(() => isPainted(page, 0.6, 1, 0, 1)).toBe(true)
    expect(await isPainted(page, 0.6, 1, 1, 0)).toBe(false)
    await chart.getByRole('button', { name: 'Candles', exact: true }).click()
  })

  test('older candles are loaded when the chart is scrolled to them, until there are none', async () => {
    const PAGES = 3
    const [newest, minute, size] = [Date.UTC(2026, 0, 5), 60_000, 500]
    const oldest = newest - (PAGES * size - 1) * minute
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 } })
    const page = await context.newPage()
    const ends: number[] = []
    await page.route('**/api/v3/klines?*', (route) => {
      const end = Number(new URL(route.request().url()).searchParams.get('endTime') ?? newest)
      ends.push(end)
      const last = Math.floor(end / minute) * minute
      const rows = Array.from({ length: size }, (_, index) => last - (size - 1 - index) * minute)
        .filter((time) => time >= oldest)
        .map((time) => [
          time,
          '10',
          '12',
          '9',
          '11',
          '5',
          time + minute - 1,
          '55',
          1,
          '2',
          '20',
          '0',
        ])
      return route.fulfill({ json: rows })
    })
    await page.goto(exchange.url)
    await page
      .getByRole('img', { name: /^Candles of BTCUSDT, 1m; newest: open 10, high 12/ })
      .waitFor()
    const before = ends.length
    const box = (await page.locator('.chart .fill').boundingBox())!
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    const loaded = () => new Set(ends.slice(before)).size
    await page.mouse.move(x, y)
    for (let scrolls = 0; scrolls < 400 && loaded() < PAGES; scrolls++) {
      await page.mouse.wheel(-400, 0)
      await pause(20)
    }
    const asked = [...new Set(ends.slice(before))]
    const begins = (pages: number) => newest - (pages * size - 1) * minute - 1
    expect(asked).toEqual([begins(1), begins(2), begins(3)])
    await context.close()
  })

  test('after a gap in the update ids the ladder is loaded again, and is right', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    let snapshots = 0
    let drops = 0
    let live: WebSocketRoute | undefined
    await page.routeWebSocket('**/stream', (socket) => {
      live = socket
      const server = socket.connectToServer()
      server.onMessage((message) => {
        if (drops > 0 && String(message).includes('"depthUpdate"')) drops--
        else socket.send(message)
      })
    })
    page.on('request', (request) => {
      if (request.url().includes('/api/v3/depth')) snapshots++
    })
    await page.goto(exchange.url)
    await expectBookOfRest(page)
    expect(live).toBeDefined()
    const before = snapshots
    drops = 1
    await place('maker', 'SELL', 50_001, 0.1)
    await expect.poll(() => drops).toBe(0)
    await place('maker', 'SELL', 50_002, 0.1)
    await expect.poll(() => snapshots).toBeGreaterThan(before)
    await expectBookOfRest(page)
    await context.close()
  })

  test('after half a minute of load it is the book of REST, in every step', {
    timeout: 600_000,
  }, async () => {
    const keys = ['maker', 'taker'].map((name) => JSON.stringify(exchange.keys()[name]))
    const args = ['dist/bench/console/market-mover.js', exchange.wsUrl, ...keys]
    const load = spawn(process.execPath, [...args, LEVELS_A_SECOND, TRADES_A_SECOND])
    const ended = once(load, 'exit')
    const placed = async (): Promise<number> => {
      const metrics = await fetch(`http://127.0.0.1:${exchange.adminPort}/metrics`)
      const [, count] = /^ringbook_symbol_orders_total\{symbol="BTCUSDT"\} (\d+)/m.exec(
        await metrics.text(),
      )!
      return Number(count)
    }
    const before = await placed()
    await pause(LOAD_MS)
    await expect.poll(async () => (await placed()) - before).toBeGreaterThan(LOAD_ORDERS)
    load.kill()
    await ended
    for (const { page } of [maker, taker]) {
      await expectBookOfRest(page)
      expect((await mirrorRows(page)).length).toBeGreaterThan(1)
    }
    // Chromium advises the test, which reads pixels.
    const isOwn = (fault: string) => !fault.includes('willReadFrequently')
    expect([...maker.faults, ...taker.faults].filter(isOwn)).toEqual([])
  })
})
