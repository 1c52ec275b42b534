/** What the operator's screen makes forms of: present values of what an action changes, and actions beside rows. */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { beforeEach, describe, expect, test } from 'vitest'
import { ActionRequests } from '../../../src/admin-api/action-requests.ts'
import { actions } from '../../../src/control/commands.ts'
import { ActionBench } from './plain-control-plane.ts'
import { nothing, withdrawalOf } from './wallet-rows.ts'

let bench: ActionBench
beforeEach(async () => {
  bench = await ActionBench.make()
  await bench.executor.act('schedule-set', {
    schedule: 'day',
    symbols: 'BTCUSDT',
    phases: '09:00 TRADING',
    days: 'MON-WED',
    holidays: '2026-12-25',
    zone: 'Asia/Tokyo',
  })
})

/** By parameter: what each action is asked about. */
const NAMING: Readonly<Record<string, string>> = {
  symbol: 'BTCUSDT',
  account: 'alice',
  schedule: 'day',
  coin: 'USDT',
  chain: 'ETH',
  base: 'BTC',
}
const changing = actions.filter(({ present }) => present !== undefined)
const namingOf = (names: readonly string[] = []) =>
  Object.fromEntries(names.map((name) => [name, NAMING[name]!]))

describe('present values', () => {
  test('are those of actions that set filters, features, fees, limits, rates and permissions', () => {
    expect(changing.map(({ name }) => name).sort()).toEqual([
      ...['account-fees', 'account-limits', 'account-permissions', 'coin-network-set'],
      ...['exchange-filters', 'schedule-set', 'sor-group'],
      ...['symbol-features', 'symbol-fees', 'symbol-filters', 'symbol-phases', 'symbol-reference'],
    ])
  })

  test.each(changing)('of $name change nothing when they are set', async ({ name, presentBy }) => {
    const { executor, registry } = bench
    await executor.act('symbol-features', { symbol: 'BTCUSDT', oco: 'off', prevention: 'NONE' })
    await executor.act('symbol-fees', { symbol: 'BTCUSDT', 'tax-buyer': '0.0003' })
    await executor.act('account-permissions', { account: 'alice', 'closed-symbols': 'BTCUSDT' })
    const filters = '[{"filterType":"EXCHANGE_MAX_NUM_ORDERS","maxNumOrders":9}]'
    await executor.act('exchange-filters', { filters })
    await executor.act('chain-list', { chain: 'ETH', form: 'ethereum', 'block-seconds': 12 })
    await executor.act('coin-network-list', { coin: 'USDT', chain: 'ETH', fee: '4' })
    const state = () => {
      const { symbols, accounts, exchange, networks, schedules, groups } = registry
      const day = schedules.named('day')?.spec
      return structuredClone([symbols, accounts, exchange, networks, day, groups])
    }
    const before = state()
    const naming = namingOf(presentBy)
    const present = executor.present(name, naming)
    expect(Object.keys(present).length).toBeGreaterThan(0)
    const given = Object.entries({ ...naming, ...present }).filter(([, text]) => text !== '')
    await executor.act(name, Object.fromEntries(given))
    expect(state()).toEqual(before)
  })

  test('are refused for what there is not, and to a role that may not change them', async () => {
    const { executor } = bench
    const carol = { name: 'carol', role: 'support' } as const
    const ask = (symbol: string) => () => executor.present('symbol-filters', { symbol }, carol)
    expect(ask('BTCUSDT')).toThrow('symbol-filters needs the role admin')
    expect(() => executor.present('symbol-filters', { symbol: 'NONE' })).toThrow('no symbol NONE')
    expect(() => executor.present('symbol-filters', {})).toThrow('needs the argument symbol')
    expect(executor.present('halt', {})).toEqual({})
  })

  test('are asked for over HTTP, and journal nothing', async () => {
    const door = new ActionRequests(
      bench.executor,
      { accepts: (header) => header === 'Bearer own' },
      { figures: () => ({}), history: () => undefined },
    )
    const before = bench.controlPlane.journaled.length
    const ask = (body: object) => {
      const headers = { authorization: 'Bearer own' }
      const request = Readable.from([Buffer.from(JSON.stringify(body))])
      const url = '/actions/symbol-filters?present'
      const asked = Object.assign(request, { url, method: 'POST', headers })
      return door.answer(asked as unknown as IncomingMessage)
    }
    const [status, { filters }] = (await ask({ symbol: 'BTCUSDT' })) as [
      number,
      { filters: string },
    ]
    expect(status).toBe(200)
    expect(JSON.parse(filters)).toEqual(bench.registry.symbols[0]!.filters)
    expect((await ask({ symbol: 'NONE' }))[0]).toBe(400)
    expect(bench.controlPlane.journaled).toHaveLength(before)
  })
})

describe('an action beside each row', () => {
  const beside = actions.flatMap(({ name, rowAction }) =>
    rowAction === undefined ? [] : [{ name, rowAction }],
  )

  test.each(beside)('of $name takes what it needs from columns', async ({ name, rowAction }) => {
    const taking = actions.find((row) => row.name === rowAction.name)!
    const needed = taking.params.filter(({ required }) => required).map((param) => param.name)
    expect(Object.keys(rowAction.takes).sort()).toEqual(needed.sort())
    const { asked } = bench.controlPlane
    asked.orders.push({ symbolId: 0, account: 1, orderId: 5, time: 1 })
    asked.sessions.push({ gateway: 0, session: 3, account: 1 })
    await bench.ask('key-create alice')
    await bench.ask('fault-add lost cut')
    await bench.ask('chain-list ETH --form ethereum --block-seconds 12')
    await bench.ask('coin-network-list USDT ETH')
    asked.walletResult = () => ({ value: { ...nothing, withdrawals: [withdrawalOf(7)] } })
    const [row] = (await bench.ask(name)).rows
    for (const column of Object.values(rowAction.takes)) expect(row).toHaveProperty(column)
  })
})
