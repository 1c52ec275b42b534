/** The operator's screen as tests use it: signing in, and actions by their forms. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'

export const adminUrlOf = ({ adminPort }: ExchangeProcess): string =>
  `http://127.0.0.1:${adminPort}/`

export const ownTokenOf = ({ data }: ExchangeProcess): string =>
  readFileSync(path.join(data, 'operator-token'), 'utf8').trim()

export const panel = (page: Page, name: string): Locator =>
  page.getByRole('region', { name, exact: true })

export const field = (page: Page, name: string): Locator => page.locator(`[data-field="${name}"]`)

export async function enter(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token').fill(token)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Takes the faults of a page that are expected. Chromium reports a refusal maybe later than the page shows it. */
export async function takeFaults(faults: string[], ...sentences: string[]): Promise<void> {
  const expected = sentences.map((each) => expect.stringContaining(each))
  await expect.poll(() => faults).toEqual(expected)
  faults.length = 0
}

type Values = Readonly<Record<string, string>>

/** Opens the form of an action and fills it. */
export async function fill(page: Page, name: string, values: Values) {
  const actions = panel(page, 'Actions')
  const back = actions.getByRole('button', { name: 'All actions' })
  if (await back.isVisible()) await back.click()
  await actions.getByLabel('Search actions').fill(name)
  await actions.locator('.action', { has: page.locator(`code:text-is("${name}")`) }).click()
  const form = actions.locator(`form[data-action="${name}"]`)
  for (const [field, value] of Object.entries(values)) {
    const input = form.locator(`[name="${field}"]`)
    const isChoice = (await input.evaluate((it) => it.nodeName)) === 'SELECT'
    if (isChoice) await input.selectOption(value)
    // Present values that come between Playwright's selection of the old text and its input stay before it.
    else
      do await input.fill(value)
      while ((await input.inputValue()) !== value)
  }
  return { actions, form, submit: form.locator('[type="submit"]') }
}

/** Answers the page's dialog, with what is to be typed. */
export async function sayYes(page: Page): Promise<void> {
  const question = page.getByRole('dialog')
  const typed = question.locator('label b')
  if ((await typed.count()) > 0) {
    await question.locator('#typed').fill(await typed.innerText())
  }
  await question.locator('button[type="submit"]').click()
  await question.waitFor({ state: 'hidden' })
}

/** Carries an action out, confirms it if it asks, and returns the page's text then. */
export async function act(page: Page, name: string, values: Values = {}): Promise<string> {
  const { actions, submit } = await fill(page, name, values)
  await submit.click()
  const said = actions.locator('.outcome [role="status"], [role="alert"]')
  const question = page.getByRole('dialog')
  await said.or(question).first().waitFor()
  if (await question.isVisible()) await sayYes(page)
  return said.first().innerText()
}
