/** A fixture of vitest: the tests of a file share an exchange, which ends with them. */
import { startExchange } from 'ringbook'
import { test as base, expect } from 'vitest'

const test = base
  .extend('options', { scope: 'file' }, { accounts: { bot: { USDT: 10_000 } } })
  .extend('exchange', { scope: 'file' }, async ({ options }, { onCleanup }) => {
    const exchange = await startExchange(options)
    onCleanup(() => exchange.close())
    return exchange
  })

test('the bot has its funds', async ({ exchange }) => {
  expect(Object.keys(exchange.accounts)).toContain('bot')
  expect((await exchange.fetch('/api/v3/ping')).status).toBe(200)
})

test('one test has an exchange of its own', async ({ exchange }) => {
  await using own = await startExchange({ clock: { at: '2024-02-29T23:59:50Z' } })
  expect(own.port).not.toBe(exchange.port)
  expect(await own.clock.advance('10s')).toBe(Date.parse('2024-03-01T00:00:00Z'))
})
