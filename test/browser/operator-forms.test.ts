/** Forms of the operator's screen, against an exchange without timed orders, until it is drained. */

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { hasTool } from '../runner/tools.ts'
import { launchChromium, openPage, type Shown } from './chromium.ts'
import {
  act,
  adminUrlOf,
  enter,
  field,
  fill,
  ownTokenOf,
  panel,
  takeFaults,
} from './operator-page.ts'

describe.runIf(hasTool('chromium'))('forms of the operator', () => {
  let exchange: ExchangeProcess
  let browser: Browser
  let shown: Shown

  beforeAll(async () => {
    exchange = await ExchangeProcess.start(['--liquidity', 'off', '--metrics', 'off'])
    browser = await launchChromium()
    shown = await open(ownTokenOf(exchange))
  })
  afterAll(async () => {
    await browser?.close()
    await exchange?.remove()
  })

  const maker = () => new SignedClient(exchange.url, exchange.keys().maker!)

  async function open(token: string): Promise<Shown> {
    const opened = await openPage(browser, adminUrlOf(exchange))
    await enter(opened.page, token)
    await opened.page.locator('#connection', { hasText: 'Accepts orders' }).waitFor()
    return opened
  }

  async function openAs(name: string, role: string): Promise<Shown> {
    await act(shown.page, 'operator-add', { operator: name, role })
    return open(await field(shown.page, 'token').innerText())
  }

  async function actionsOf(roles: readonly string[]): Promise<string[]> {
    const headers = { Authorization: `Bearer ${ownTokenOf(exchange)}` }
    const rows = (await (await fetch(`${adminUrlOf(exchange)}actions`, { headers })).json()) as {
      name: string
      role: string
    }[]
    return rows.filter(({ role }) => roles.includes(role)).map(({ name }) => name)
  }

  const namesOn = ({ page }: Shown) => page.locator('.action code').allTextContents()
  const openOrders = async (): Promise<number[]> => {
    const { body } = await maker().send('GET', '/api/v3/openOrders', { symbol: 'ETHUSDT' })
    return (body as unknown as { orderId: number }[]).map(({ orderId }) => orderId)
  }

  async function answerQuery(page: Page, text: string, answer: string): Promise<void> {
    const question = page.getByRole('dialog')
    await question.getByText(text).waitFor()
    await question.getByRole('button', { name: answer }).click()
    await question.waitFor({ state: 'hidden' })
  }

  test('without metrics the screen says so, and draws everything else', async () => {
    const { page, faults } = shown
    await panel(page, 'Latency of orders by stage')
      .getByText('No order is timed: metrics are off (--metrics).')
      .waitFor()
    await page.getByRole('img', { name: /^A second: orders \d/ }).waitFor()
    await page.getByRole('img', { name: /^Busy share: busiest matcher \d.*, matcher 0 / }).waitFor()
    await panel(page, 'By symbol').getByRole('cell', { name: 'BTCUSDT' }).waitFor()
    expect(faults).toEqual([])
  })

  test('one order is canceled from the table of orders, after a question', async () => {
    const order = { symbol: 'ETHUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
    const ids: number[] = []
    for (const price of [1_000, 1_001, 1_002]) {
      const { body } = await maker().send('POST', '/api/v3/order', {
        ...order,
        price,
        quantity: 0.1,
      })
      ids.push(Number(body.orderId))
    }
    const { page, faults } = await openAs('dora', 'support')
    expect(await act(page, 'orders', { account: 'maker' })).toBe('3 open orders.')
    const cancel = page.getByRole('button', { name: `Cancel maker ETHUSDT ${ids[1]}` })
    const text = `Order ${ids[1]} of maker on ETHUSDT is canceled.`
    const asks = `Cancel order ${ids[1]} of maker on ETHUSDT?`
    await cancel.click()
    await answerQuery(page, asks, 'Keep')
    expect(await openOrders()).toHaveLength(3)
    await cancel.click()
    await answerQuery(page, asks, 'Cancel order')
    await page.getByText(`${text} 2 open orders.`).waitFor()
    expect(await cancel.count()).toBe(0)
    expect(await openOrders()).toEqual([ids[0], ids[2]])
    // An order that is filled or gone meanwhile.
    await maker().send('DELETE', '/api/v3/order', { symbol: 'ETHUSDT', orderId: ids[2]! })
    await page.getByRole('button', { name: `Cancel maker ETHUSDT ${ids[2]}` }).click()
    await page.getByText(`Order ${ids[2]} of maker on ETHUSDT is CANCELED, not open.`).waitFor()
    await takeFaults(faults, 'status of 400')
    await page.context().close()
  })

  test('a token sees the actions of its role, and none of a higher one', async () => {
    const support = await openAs('sam', 'support')
    expect((await namesOn(support)).sort()).toEqual((await actionsOf(['watch', 'support'])).sort())
    expect(await namesOn(support)).not.toContain('deposit')
    const watch = await openAs('walter', 'watch')
    expect((await namesOn(watch)).sort()).toEqual((await actionsOf(['watch'])).sort())
    expect(await act(watch.page, 'orders', { account: 'maker' })).toBe('1 open order.')
    expect(await watch.page.getByRole('button', { name: /^Cancel/ }).count()).toBe(0)
    for (const { page, faults } of [support, watch]) {
      expect(faults).toEqual([])
      await page.context().close()
    }
  })

  test('present filters are filled in, changed and set', async () => {
    const { page } = shown
    const { form, submit, actions } = await fill(page, 'symbol-filters', { symbol: 'ETHUSDT' })
    const filters = form.locator('[name="filters"]')
    await expect.poll(() => filters.inputValue()).toContain('"PRICE_FILTER"')
    const text = await filters.inputValue()
    expect(text).toContain('"limit": 100')
    await filters.fill(text.replace('"limit": 100', '"limit": 12'))
    await submit.click()
    await actions.getByText('Filters of ETHUSDT are set.').waitFor()
    const again = (await fill(page, 'symbol-filters', { symbol: 'ETHUSDT' })).form
    const shownNow = again.locator('[name="filters"]')
    await expect.poll(() => shownNow.inputValue()).toContain('"limit": 12')
    const symbol = again.locator('[name="symbol"]')
    await symbol.fill('BTCUSDT')
    await expect.poll(() => shownNow.inputValue()).toContain('"limit": 100')
    await shownNow.fill('typed')
    const asked = page.waitForResponse('**/actions/symbol-filters?present')
    await symbol.fill('ETHUSDT')
    await asked
    expect(await shownNow.inputValue()).toBe('typed')
    const features = (await fill(page, 'symbol-features', { symbol: 'ETHUSDT' })).form
    await expect.poll(() => features.locator('[name="oco"]').inputValue()).toBe('on')
    expect(shown.faults).toEqual([])
  })

  test('a long action shows how far it is', async () => {
    const { page } = shown
    const { actions, submit } = await fill(page, 'backup', { folder: `${exchange.data}-copy` })
    let release = () => {}
    const isSeen = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/actions/backup', async (route) => {
      await isSeen
      await route.fulfill({ json: { said: 'It holds 8 blocks.', rows: [] } })
    })
    const row = { what: 'backup', value: 37, unit: '%, 9 blocks a second, 3 seconds left' }
    await page.route('**/actions/status', (route) =>
      route.fulfill({ json: { said: '', rows: [row] } }),
    )
    await submit.click()
    await actions.getByText('37 %, 9 blocks a second, 3 seconds left').waitFor()
    expect(await actions.getByRole('progressbar').getAttribute('value')).toBe('37')
    release()
    await actions.getByText('It holds 8 blocks.').waitFor()
    expect(await actions.getByRole('progressbar').count()).toBe(0)
    await page.unrouteAll()
  })

  test('drained by its form, the exchange refuses every change', async () => {
    const { page } = shown
    const { actions, submit } = await fill(page, 'drain', {})
    await submit.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Drain' }).click()
    await actions.locator('.outcome [role="status"]').waitFor()
    const deposit = { account: 'maker', asset: 'USDT', amount: '1' }
    expect(await act(page, 'deposit', deposit)).toBe(
      'The exchange is drained: only stop is possible now.',
    )
    await page.locator('#connection', { hasText: 'Accepts no orders' }).waitFor()
    expect(await act(page, 'accounts')).toMatch(/accounts\.$/)
    expect(await act(page, 'stop')).toBe('The exchange stops.')
    expect((await exchange.ended()).code).toBe(0)
  })
})
