/** The states of a sandbox on the operator's screen. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'
import { hasTool } from '../runner/tools.ts'
import { launchChromium, openPage, type Shown } from './chromium.ts'
import { act, adminUrlOf, enter, ownTokenOf, panel } from './operator-page.ts'

describe.runIf(hasTool('chromium'))('the states of a sandbox', statesTests)

function statesTests() {
  let exchange: ExchangeProcess
  let browser: Browser
  let shown: Shown

  beforeAll(async () => {
    exchange = await ExchangeProcess.start([...FEW_THREADS, '--sandbox', 'on'])
    browser = await launchChromium()
    shown = await openPage(browser, adminUrlOf(exchange))
    await enter(shown.page, ownTokenOf(exchange))
  })
  afterAll(async () => {
    await browser?.close()
    await exchange?.remove()
  })

  test('one is saved, loaded and reset, and the screen goes on', async () => {
    const { page } = shown
    const states = panel(page, 'States')
    await states.getByLabel('Name of the state').fill('monday')
    await states.getByRole('button', { name: 'Save' }).click()
    const row = states.getByRole('row', { name: /^monday state/ })
    await row.waitFor()
    const credited = { account: 'trader1', asset: 'BTC', amount: '7' }
    expect(await act(page, 'deposit', credited)).toMatch(/^trader1 was credited/)
    await row.getByRole('button', { name: 'Load' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.locator('#question').innerText()).toMatch(/^Load monday, the state of .*\?/)
    await dialog.getByRole('button', { name: 'Load' }).click()
    await states.getByText('The state monday is loaded.').waitFor()
    await page.locator('#connection', { hasText: 'Accepts orders' }).waitFor()
    await states.getByRole('button', { name: 'Reset' }).click()
    await dialog.getByRole('button', { name: 'Reset' }).click()
    await states.getByText('The first content is loaded.').waitFor()
    await row.waitFor()
  })

  test('a name that is none is refused in the words of the exchange', async () => {
    const states = panel(shown.page, 'States')
    await states.getByLabel('Name of the state').fill('a b')
    await states.getByRole('button', { name: 'Save' }).click()
    await states.getByRole('alert').getByText('name must be letters, digits').waitFor()
  })
}
