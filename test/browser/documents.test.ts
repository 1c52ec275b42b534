/** The documents in a real browser: search, forms that send requests, colors, narrow screens. */

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { hasTool } from '../runner/tools.ts'
import { launchChromium, openPage, overflowOf, type Shown, seriousFaults } from './chromium.ts'

describe.runIf(hasTool('chromium'))('the documents', documentTests)

function documentTests() {
  let exchange: ExchangeProcess
  let browser: Browser

  beforeAll(async () => {
    exchange = await ExchangeProcess.start([])
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await exchange?.remove()
  })

  const open = (path: string, options = {}): Promise<Shown> =>
    openPage(browser, `${exchange.url}${path}`, options)

  test.each([
    ['overload', 'Operate: Overload', '/docs/operate#overload'],
    ['-2010', 'Errors: -2010', '/docs/api/errors#-2010'],
    ['order/cancelReplace', 'Trading: POST /api/v3/order/cancelReplace', '/docs/api/trading#'],
  ])('a search for %s finds %s', async (words, title, address) => {
    const { page, faults } = await open('/docs')
    await page.keyboard.press('/')
    await page.keyboard.type(words)
    await page.locator('#found a', { hasText: title }).first().click()
    await page.waitForURL((url) => `${url.pathname}${url.hash}`.startsWith(address))
    const anchor = decodeURIComponent(new URL(page.url()).hash.slice(1))
    expect(await page.locator(`[id="${anchor}"]`).isVisible()).toBe(true)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('the list of what was found is used by keys', async () => {
    const { page } = await open('/docs/clients')
    await page.keyboard.press('/')
    await page.keyboard.type('backup')
    await page.locator('#found a').nth(1).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    const second = await page.locator('#found a').nth(1).getAttribute('href')
    expect(await page.evaluate('document.activeElement.getAttribute("href")')).toBe(second)
    await page.keyboard.press('Escape')
    expect(await page.locator('#found').isVisible()).toBe(false)
    await page.locator('#query').fill('zzzz')
    await page.getByText('No page has “zzzz”.').waitFor()
    await page.context().close()
  })

  const tryIt = async (page: Page, title: string) => {
    const form = page.getByRole('form', { name: `Try ${title}`, exact: true, includeHidden: true })
    await form.locator('xpath=..').locator('> summary').click()
    await form.getByRole('button', { name: /^Send/ }).click()
    await form.locator('.response :is(pre, a, p):not(:text("Sent"))').first().waitFor()
    return form.locator('.response')
  }

  test('a public request is sent by its form', async () => {
    const { page, faults } = await open('/docs/api/market-data')
    const response = await tryIt(page, 'GET /api/v3/depth')
    await response.locator('pre', { hasText: '"lastUpdateId"' }).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('signed orders are sent with a key of the demo, as frames alone, and one that cannot be sent says so', async () => {
    const { page } = await open('/docs/api/trading')
    const posted: string[] = []
    page.on('request', (it) => {
      if (it.method() !== 'GET') posted.push(new URL(it.url()).pathname)
    })
    const missing = await tryIt(page, 'DELETE /api/v3/order')
    await missing.getByText('Give a key at the top of this page first.').waitFor()
    await page.getByRole('button', { name: 'trader1', exact: true }).click()
    await page.getByText('Requests are signed by the key of trader1.').waitFor()
    const placed = await tryIt(page, 'POST /api/v3/order')
    await placed.locator('pre', { hasText: '"clientOrderId": "first"' }).waitFor()
    const form = page.getByRole('form', { name: 'Try POST /api/v3/order', exact: true })
    await form.getByRole('button', { name: 'Send POST' }).click()
    await placed.locator('pre', { hasText: '"msg": "Duplicate order sent."' }).waitFor()
    // A browser may repeat what is posted.
    expect(posted.filter((it) => it.startsWith('/api/'))).toEqual([])
    await page.evaluate(`globalThis.WebSocket = class {
      constructor() { setTimeout(() => this.onclose()) }
      close() {}
    }`)
    await form.getByRole('button', { name: 'Send POST' }).click()
    await placed.getByText('The exchange cannot be reached: nothing was sent.').waitFor()
    await page.context().close()
  })

  test('a refusal links to what its code means', async () => {
    const { page } = await open('/docs/api/trading')
    await page.getByRole('button', { name: 'trader1', exact: true }).click()
    await page.getByText('Requests are signed by the key of trader1.').waitFor()
    const placed = await tryIt(page, 'POST /api/v3/order')
    const form = page.getByRole('form', { name: 'Try POST /api/v3/order', exact: true })
    await form.getByRole('button', { name: 'Send POST' }).click()
    await placed.locator('pre', { hasText: '"msg": "Duplicate order sent."' }).waitFor()
    await placed.getByRole('link', { name: 'What -2010 means' }).click()
    await page.waitForURL('**/docs/api/errors#-2010')
    await page.context().close()
  })

  test('a key and a secret that were typed sign, and leave with the page', async () => {
    const { page } = await open('/docs/api/account')
    const { apiKey, secretKey } = exchange.keys().trader2!
    await page.locator('#api-key').fill(apiKey)
    await page.locator('#secret').fill(secretKey)
    await page.getByRole('button', { name: 'Use this key' }).click()
    await page.getByText(/^Requests are signed by the key of/).waitFor()
    const answer = await tryIt(page, 'GET /api/v3/account')
    await answer.locator('pre', { hasText: '"balances"' }).waitFor()
    const kept = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])'
    expect(await page.evaluate(kept)).not.toContain(secretKey)
    await page.reload()
    expect(await page.locator('#secret').inputValue()).toBe('')
    await page.context().close()
  })

  test('anchors that /docs had for operations lead to where these stand now', async () => {
    const { page } = await open('/docs#placeOrder')
    await page.waitForURL('**/docs/api/trading#post-apiv3order')
    await page.context().close()
  })

  test('the choice of colors stays', async () => {
    const { page } = await open('/docs')
    await page.getByRole('button', { name: 'Dark or light' }).click()
    await page.goto(`${exchange.url}/docs/operate`)
    await page.locator('html[data-theme="light"]').waitFor()
    await page.context().close()
  })

  test.each([
    ['/docs', 'light', 1280],
    ['/docs', 'dark', 360],
    ['/docs/api/market-data', 'dark', 1280],
    ['/docs/api/account', 'light', 360],
    ['/docs/api/errors', 'light', 800],
    ['/docs/settings', 'dark', 360],
    ['/docs/start', 'light', 1280],
  ] as const)('%s is usable in %s colors at %i px', async (path, colorScheme, width) => {
    const { page, faults } = await open(path, { colorScheme, width })
    if (width < 800) {
      const menu = page.getByRole('button', { name: 'Pages' })
      await menu.click()
      await page.getByRole('navigation', { name: 'Pages' }).waitFor()
    }
    expect(await seriousFaults(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  })
}
