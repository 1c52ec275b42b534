/** The wallet's tab in a real browser: a deposit that arrives, and withdrawals that are paid once whatever is lost. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { hasTool } from '../runner/tools.ts'
import {
  launchChromium,
  openConsole,
  operate,
  overflowOf,
  seriousFaults,
  signIn,
} from './chromium.ts'

const PHONE = { width: 390, height: 844 }
const APPLY = '**/sapi/v1/capital/withdraw/apply*'
const OUTSIDE = '0x52908400098527886E0F7030069857D2E4169EE7'

describe.runIf(hasTool('chromium'))('the wallet', () => {
  let exchange: ExchangeProcess
  let browser: Browser

  beforeAll(async () => {
    exchange = await ExchangeProcess.start(['--liquidity', 'off'])
    browser = await launchChromium()
    await operate(exchange, 'chain-list', {
      chain: 'QUICK',
      form: 'ethereum',
      'block-seconds': '0.5',
    })
    await operate(exchange, 'coin-network-list', {
      ...{ coin: 'USDT', chain: 'QUICK', title: 'Quick (Test)', fee: '1', default: 'on' },
      ...{ confirmations: '2', 'unlock-confirmations': '4', 'approval-above': '500' },
    })
  })
  afterAll(async () => {
    await browser?.close()
    await exchange?.remove()
  })

  const client = (account: string) => new SignedClient(exchange.url, exchange.keys()[account]!)
  const withdrawalsOf = async (account: string) =>
    (await client(account).send('GET', '/sapi/v1/capital/withdraw/history'))
      .body as unknown as readonly Record<string, unknown>[]
  const form = (page: Page) => page.getByRole('form', { name: 'Withdraw' })
  const button = (page: Page, name: string) => form(page).getByRole('button', { name })
  const said = (page: Page) => form(page).getByRole('status')
  const rows = (page: Page) => page.locator('[data-transfer]')

  async function openWallet(account: string): Promise<Page> {
    const { page } = await openConsole(browser, exchange.url)
    await signIn(page, account)
    const panel = page.getByRole('region', { name: 'Account' })
    await panel.getByRole('button', { name: 'Wallet' }).click()
    await page.getByLabel('Coin').selectOption('USDT')
    await page.getByLabel('Network').selectOption('QUICK')
    return page
  }

  async function lookOver(page: Page, amount: string): Promise<void> {
    await form(page).locator('[name="address"]').fill(OUTSIDE)
    await form(page).locator('[name="amount"]').fill(amount)
    await button(page, 'Look it over').click()
  }

  test('a deposit to the address that is shown is confirmed, credited and unlocked', async () => {
    const page = await openWallet('trader1')
    const section = page.getByRole('region', { name: 'Deposit' })
    const address = (await section.locator('code').first().textContent())!
    const asked = await client('trader1').send('GET', '/sapi/v1/capital/deposit/address', {
      ...{ coin: 'USDT', network: 'QUICK' },
    })
    expect(asked.body.address).toBe(address)
    expect(await section.getByRole('img', { name: `QR code: ${address}` }).count()).toBe(1)
    await operate(exchange, 'chain-send', {
      ...{ address, amount: '12.5', coin: 'USDT', chain: 'QUICK', id: 'first' },
    })
    const row = rows(page).filter({ hasText: '12.5 USDT' })
    await row.waitFor()
    await row.filter({ hasText: 'Complete' }).waitFor({ timeout: 15_000 })
    await page.context().close()
  }, 60_000)

  test('what the network refuses cannot be looked over', async () => {
    const page = await openWallet('trader2')
    await form(page).locator('[name="address"]').fill('nowhere')
    await form(page).locator('[name="amount"]').fill('5')
    expect(await form(page).textContent()).toContain('This is no address on QUICK.')
    expect(await button(page, 'Look it over').isDisabled()).toBe(true)
    await page.context().close()
  }, 60_000)

  test('a double click looks it over and does not send; two clicks on the button withdraw once', async () => {
    const page = await openWallet('trader1')
    await form(page).locator('[name="address"]').fill(OUTSIDE)
    await form(page).locator('[name="amount"]').fill('20')
    // The second click as soon as the button that takes the place of the first is there.
    await page.evaluate(`(async () => {
      const click = (text) =>
        [...document.querySelectorAll('form button')].find((it) => it.textContent === text)?.click()
      click('Look it over')
      for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve))
      click('Withdraw')
    })()`)
    await button(page, 'Withdraw').waitFor()
    expect(await form(page).textContent()).toContain('so 19 arrive')
    expect(await withdrawalsOf('trader1')).toEqual([])
    await button(page, 'Withdraw').dblclick()
    await said(page).filter({ hasText: 'is applied for' }).waitFor()
    await rows(page).filter({ hasText: 'Withdrawal' }).filter({ hasText: 'Complete' }).waitFor()
    expect(await withdrawalsOf('trader1')).toMatchObject([{ amount: '19.00000000', status: 6 }])
    await page.context().close()
  }, 60_000)

  test('a withdrawal whose answers are lost is paid once, and can only be sent again', async () => {
    const page = await openWallet('trader2')
    let isLost = true
    await page.route(APPLY, async (route) => {
      await route.fetch()
      if (isLost) await route.abort('connectionreset')
      else await route.continue()
    })
    await lookOver(page, '30')
    await button(page, 'Withdraw').click()
    await said(page).filter({ hasText: 'to send it again is safe' }).waitFor({ timeout: 20_000 })
    expect(await button(page, 'Back').isDisabled()).toBe(true)
    isLost = false
    await button(page, 'Send it again').click()
    await said(page).filter({ hasText: 'is applied for' }).waitFor()
    expect(await withdrawalsOf('trader2')).toHaveLength(1)
    await page.context().close()
  }, 60_000)

  test('a large one waits for an operator, and a rejected one is given back', async () => {
    const page = await openWallet('trader2')
    await lookOver(page, '600')
    await button(page, 'Withdraw').click()
    await rows(page).filter({ hasText: 'Waits to be confirmed' }).waitFor()
    const [{ id } = { id: '' }] = await withdrawalsOf('trader2')
    await operate(exchange, 'withdrawal-confirm', { id: String(id) })
    await rows(page).filter({ hasText: 'Waits for approval' }).waitFor()
    await operate(exchange, 'withdrawal-reject', { id: String(id) })
    await rows(page).filter({ hasText: 'Rejected' }).waitFor()
    await page.context().close()
  }, 60_000)

  test('it fits a telephone, and has no fault of accessibility', async () => {
    const page = await openWallet('trader1')
    expect(await seriousFaults(page)).toEqual([])
    await page.setViewportSize(PHONE)
    expect(await overflowOf(page)).toBeLessThanOrEqual(0)
    await page.context().close()
  }, 60_000)
})
