/** Roles, tokens, the log of actions, and the query before what cannot be undone. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { claimPort } from '../../../scripts/exchange/ports.ts'
import { ActionRequests } from '../../../src/admin-api/action-requests.ts'
import { AdminServer } from '../../../src/admin-api/admin-server.ts'
import { Ms } from '../../../src/base/units.ts'
import { callAction } from '../../../src/cli/cli.ts'
import { ActionLog, LOG_KEPT, loggedArguments } from '../../../src/control/action-log.ts'
import { actions } from '../../../src/control/commands.ts'
import { OPERATORS_MAX } from '../../../src/control/operators.ts'
import { Registry } from '../../../src/control/registry.ts'
import { type Role, roles } from '../../../src/control/role.ts'
import { OwnerToken, readToken } from '../../../src/control/token.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'
import { ActionBench } from './plain-control-plane.ts'

const port = await claimPort()
const data = temporaryFolder()
const nowMs = 1_000
const owner = new OwnerToken(data, { nowMs: () => Ms(nowMs) })
const ownToken = readToken(data)
const noReadings = { figures: () => ({}), history: () => undefined }
const door = new AdminServer()
await door.listen(port)
afterAll(() => door.close())

let bench: ActionBench
beforeEach(async () => {
  bench = await ActionBench.make()
  const actions = new ActionRequests(bench.executor, owner, noReadings)
  door.ready({ readCounters: () => [], metrics: undefined, actions })
})

async function send(url: string, token: string, given: object = {}) {
  const response = await fetch(`http://127.0.0.1:${port}/actions/${url}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, Connection: 'close' },
    body: JSON.stringify(given),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const tokenOf = async (name: string, role: Role): Promise<string> =>
  String((await bench.ask(`operator-add ${name} ${role}`)).rows[0]!.token)

describe('each action with each role', () => {
  test.each(actions.map(({ name, role }) => [name, role] as const))('%s', async (name, needed) => {
    for (const role of roles) {
      bench = await ActionBench.make()
      const opened = new ActionRequests(bench.executor, owner, noReadings)
      door.ready({ readCounters: () => [], metrics: undefined, actions: opened })
      const token = await tokenOf('carol', role)
      const journaled = bench.controlPlane.journaled.length
      const mayAct = roles.indexOf(role) >= roles.indexOf(needed)
      const { status, body } = await send(name, token)
      if (mayAct) {
        expect([200, 400]).toContain(status)
        continue
      }
      const error = `${name} needs the role ${needed}; carol has ${role}.`
      expect([status, body]).toEqual([403, { error }])
      expect((await send(`${name}?preview`, token)).status).toBe(403)
      expect(bench.controlPlane.journaled).toHaveLength(journaled)
      expect(bench.controlPlane.done).toEqual([])
    }
  })

  test('the token of the data folder stays admin; a removed one ends at once', async () => {
    const token = await tokenOf('carol', 'support')
    expect((await send('accounts', token)).status).toBe(200)
    expect((await send('operator-remove', ownToken, { operator: 'carol' })).status).toBe(200)
    expect((await send('accounts', token)).status).toBe(401)
    expect((await send('accounts', `${token}x`.repeat(100))).status).toBe(401)
    expect((await send('accounts', ownToken)).status).toBe(200)
  })

  test('a token is shown once and journaled as a hash', async () => {
    const token = await tokenOf('carol', 'admin')
    expect(token).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.stringify(bench.controlPlane.journaled)).not.toContain(token)
    expect(JSON.stringify(await bench.ask('operators'))).not.toContain(token)
    expect(JSON.stringify(await bench.ask('log'))).not.toContain(token)
  })

  test('names are free once, and there is room for so many', async () => {
    await tokenOf('carol', 'watch')
    for (const name of ['carol', 'owner', 'house', 'faucet', 'counterparty']) {
      await expect(tokenOf(name, 'watch')).rejects.toThrow(`The name ${name} is taken.`)
    }
    await expect(bench.ask('operator-add dora king')).rejects.toThrow(
      'role must be "watch", "support" or "admin".',
    )
    await expect(bench.ask('operator-remove dora')).rejects.toThrow('There is no operator dora.')
    for (let i = 1; i < OPERATORS_MAX; i++) await tokenOf(`o${i}`, 'watch')
    await expect(tokenOf('last', 'watch')).rejects.toThrow('There is room for 64 operators.')
    expect((await bench.ask('operators')).said).toBe('65 operators.')
  })
})

describe('the log', () => {
  test('says who did what, in pages; what only reads or was refused is not in it', async () => {
    const token = await tokenOf('carol', 'support')
    await send('halt', token, { symbol: 'BTCUSDT' })
    await send('resume', token, { symbol: 'NONE' })
    await send('accounts', token)
    await send('deposit', token, { account: 'alice', asset: 'BTC', amount: '1' })
    const { rows } = await bench.ask('log --limit 2')
    expect(rows).toMatchObject([
      { number: 7, operator: 'carol', action: 'halt', arguments: 'symbol=BTCUSDT' },
      { number: 6, operator: 'owner', action: 'operator-add' },
    ])
    const next = await bench.ask('log --limit 2 --after 6')
    expect(next.rows.map(({ number }) => number)).toEqual([5, 4])
    expect((await bench.ask('log --limit 5 --after 3')).rows.map((row) => row.action)).toEqual([
      'asset-list',
      'asset-list',
    ])
  })

  test('is the same after a start', async () => {
    const shown = await bench.ask('log')
    const again = new Registry()
    for (const fact of bench.controlPlane.journaled) again.apply(fact)
    expect(again.log).toEqual(bench.registry.log)
    expect(shown.rows).toHaveLength(5)
  })

  test('keeps so many in memory, of bounded length', () => {
    const log = new ActionLog()
    const action = { fact: 'act', name: 'halt', by: 'owner', timeMs: Ms(1), given: {} } as const
    for (let i = 0; i < 3 * LOG_KEPT + 5; i++) log.add(action)
    const all = log.newest(10 * LOG_KEPT)
    expect(all).toHaveLength(LOG_KEPT)
    expect(all[0]!.number).toBe(3 * LOG_KEPT + 5)
    expect(log.newest(3, all.at(-1)!.number)).toEqual([])
    expect(log.newest(2, 0)).toEqual([])
    expect(loggedArguments({ a: 'x'.repeat(1000), b: [1], c: true })).toEqual({
      a: `${'x'.repeat(200)}…`,
      b: '[1]',
      c: 'true',
    })
  })
})

describe('what cannot be undone', () => {
  const asked: string[] = []
  let isYes = false
  const terminal = {
    ask: async () => '',
    showProgress: () => {},
    confirm: async (query: string) => {
      asked.push(query)
      return isYes
    },
  }
  const call = (line: string) =>
    callAction({ words: line.split(' '), data, adminPort: port }, terminal)

  beforeEach(() => {
    asked.length = 0
  })

  test.each([
    ['account-close exchange', "Account 0 is the exchange's own, and stays open."],
    ['account-freeze alice', 'Freeze alice? Its 4 open orders stay.'],
    ['account-freeze alice --cancel-orders on', 'Freeze alice, and cancel its 4 open orders?'],
    ['cancel-order alice BTCUSDT 7', 'Cancel order 7 of alice on BTCUSDT?'],
    ['cancel-orders alice BTCUSDT', 'Cancel all 4 open orders of alice on BTCUSDT?'],
    ['cancel-orders --symbol BTCUSDT --all', 'Cancel all 4 open orders on BTCUSDT?'],
    ['cancel-orders --all', 'Cancel all 4 open orders?'],
    ['halt BTCUSDT', 'Halt BTCUSDT? Its 4 open orders stay.'],
    ['halt --all', 'Halt the 1 symbol that trades? Their 4 open orders stay.'],
    ['symbol-status BTCUSDT BREAK', 'Set BTCUSDT from TRADING to BREAK? Its 4 open orders stay.'],
    ['symbol-delist BTCUSDT', 'Delist BTCUSDT for good, and cancel its 4 open orders?'],
    ['withdraw alice BTC 0.1', 'Withdraw 0.1 BTC from alice? It keeps 1.9 free and 0 locked.'],
    ['withdraw alice BTC 1.5', 'Withdraw 1.5 BTC from alice? It keeps 0.5 free and 0 locked.'],
    ['exchange-discount BTC 0.25', 'Commissions paid in BTC will be 75 % less than the standard'],
    ['operator-remove carol', 'Remove the operator carol? The token ends at once, for good.'],
    ['drain', 'Drain the exchange, and refuse all orders until its next start?'],
    ['stop', 'Stop the exchange? 0 WebSockets are open.'],
  ])('%s', async (line, sentence) => {
    await tokenOf('carol', 'watch')
    for (const orderId of [7, 8, 9]) {
      bench.controlPlane.asked.orders.push({ symbolId: 0, account: 1, orderId, time: 1 })
    }
    bench.controlPlane.asked.result = { value: { orderId: 7, status: 'NEW' } }
    bench.controlPlane.asked.orders.push({ symbolId: 0, account: 1, orderId: 7, time: 1 })
    bench.controlPlane.canceling = () => {
      bench.controlPlane.asked.result = { value: { orderId: 7, status: 'CANCELED' } }
    }
    const before = bench.controlPlane.journaled.length
    isYes = false
    const { text, code } = await call(line)
    expect(code).toBe(1)
    expect(`${asked[0] ?? ''}${text}`).toContain(sentence)
    expect(bench.controlPlane.journaled).toHaveLength(before)
    expect(bench.controlPlane.done).toEqual([])
    if (asked.length === 0) return
    expect(text).toBe('Nothing was changed.\n')
    isYes = true
    expect((await call(line)).code).toBe(0)
    expect(bench.controlPlane.journaled.length).toBeGreaterThan(before)
  })

  test('is not asked of scripts, or with --yes', async () => {
    isYes = false
    expect((await call('account-freeze alice --yes')).code).toBe(0)
    expect((await call('cancel-orders alice --all --yes')).code).toBe(0)
    const words = ['cancel-orders', 'alice', '--all']
    expect((await callAction({ words, data, adminPort: port })).code).toBe(0)
    expect(asked).toEqual([])
  })

  test('is not asked where nothing would change', async () => {
    await bench.ask('account-freeze alice')
    await bench.ask('halt BTCUSDT')
    for (const line of ['account-freeze alice', 'halt --all', 'resume --all']) {
      expect((await call(line)).code, line).toBe(0)
    }
    expect(asked).toEqual([])
  })

  test('a script confirms a large withdrawal, and a small one need not be', async () => {
    const script = (line: string) =>
      callAction({ words: line.split(' '), data, adminPort: port }).then(({ text }) => text)
    const before = bench.controlPlane.journaled.length
    expect(await script('withdraw alice BTC 1.5')).toBe(
      'Withdraw 1.5 BTC from alice? It keeps 0.5 free and 0 locked. Confirm it by "yes" on (--yes).\n',
    )
    const given = { account: 'alice', asset: 'BTC', amount: '1.5' }
    expect((await send('withdraw', ownToken, given)).status).toBe(400)
    expect((await send('withdraw', ownToken, { ...given, yes: false })).status).toBe(400)
    expect(bench.controlPlane.journaled).toHaveLength(before)
    expect(await script('withdraw alice BTC 0.1')).toBe('alice withdrew 0.10000000 BTC.\n')
    expect(await script('withdraw alice BTC 1.5 --yes')).toBe('alice withdrew 1.50000000 BTC.\n')
    expect((await send('withdraw', ownToken, { ...given, amount: '0.4', yes: true })).status).toBe(
      200,
    )
  })

  test('a preview over HTTP has the counts and what is typed, and changes nothing', async () => {
    bench.controlPlane.asked.orders.push({ symbolId: 0, account: 1, orderId: 7, time: 1 })
    const before = bench.controlPlane.journaled.length
    const preview = async (name: string, given: object) =>
      (await send(`${name}?preview`, ownToken, given)).body.preview
    expect(await preview('cancel-orders', { symbol: 'BTCUSDT', all: true })).toMatchObject({
      does: 'Cancel the 1 open order on BTCUSDT',
      yes: 'Cancel orders',
      no: 'Keep',
      typed: 'BTCUSDT',
    })
    expect(await preview('halt', { all: true })).toMatchObject({ typed: 'all', yes: 'Halt all' })
    const given = { account: 'alice', asset: 'BTC', amount: '2' }
    expect(await preview('withdraw', given)).toMatchObject({ typed: 'alice', needsYes: true })
    expect(await preview('deposit', given)).toBe(null)
    expect(await preview('resume', { all: true })).toBe(null)
    expect(bench.controlPlane.journaled).toHaveLength(before)
    expect(bench.controlPlane.done).toEqual([])
  })

  test.each([
    ['halt', {}],
    ['halt', { symbol: '' }],
    ['halt', { symbol: '', all: true }],
    ['halt', { all: false }],
    ['halt', { symbol: 'BTCUSDT', all: true }],
    ['resume', {}],
    ['resume', { symbol: '' }],
    ['cancel-orders', {}],
    ['cancel-orders', { account: 'alice' }],
    ['cancel-orders', { symbol: 'BTCUSDT' }],
    ['cancel-orders', { account: '', symbol: 'BTCUSDT' }],
    ['cancel-orders', { account: '', all: true }],
    ['cancel-orders', { account: 'alice', symbol: 'BTCUSDT', all: true }],
    ['symbol-delist', { symbol: '' }],
    ['account-close', { account: '' }],
  ])('%s %j names nothing, so it is refused', async (name, given) => {
    const before = bench.controlPlane.journaled.length
    for (const query of ['', '?preview']) {
      expect((await send(`${name}${query}`, ownToken, given)).status).toBe(400)
    }
    expect(bench.controlPlane.journaled).toHaveLength(before)
    expect(bench.controlPlane.done).toEqual([])
  })

  test('resume --all leaves what was halted by name', async () => {
    await bench.ask('symbol-list USDT BTC --like BTCUSDT')
    await bench.ask('asset-list ETH')
    await bench.ask('symbol-list ETH BTC --like BTCUSDT')
    const halted = () =>
      bench.registry.symbols.filter(({ status }) => status === 4).map(({ name }) => name)
    await bench.ask('halt USDTBTC')
    expect((await bench.ask('halt --all on')).said).toBe('Now halted: BTCUSDT, ETHBTC.')
    // Named while all are halted: meant to stay.
    await bench.ask('halt ETHBTC')
    await bench.ask(`symbol-filters BTCUSDT [{"filterType":"MAX_NUM_ORDERS","maxNumOrders":7}]`)
    const preview = await bench.executor.preview('resume', { all: true })
    expect(preview?.does).toBe('Resume 1 of 3 halted symbols')
    expect(preview?.note).toContain('Still halted by name: USDTBTC, ETHBTC;')
    expect((await bench.ask('resume --all on')).said).toMatch(
      /^Now trading: BTCUSDT\. Still halted/,
    )
    expect(halted()).toEqual(['USDTBTC', 'ETHBTC'])
    expect((await bench.ask('resume --all on')).said).toMatch(/^No symbol was resumed\. Still/)
    await bench.ask('resume USDTBTC')
    expect(halted()).toEqual(['ETHBTC'])
    await bench.ask('resume --all on --named on')
    expect(halted()).toEqual([])
    await expect(bench.ask('resume BTCUSDT --named on')).rejects.toThrow('named goes with "all"')
  })

  test("an operator's token is read from a file", async () => {
    const file = path.join(data, 'carol')
    writeFileSync(file, `${await tokenOf('carol', 'watch')}\n`)
    const words = ['halt', '--token-file', file]
    expect(await callAction({ words, data: '/none', adminPort: port })).toEqual({
      text: 'halt needs the role support; carol has watch.\n',
      code: 1,
    })
    const lost = ['halt', '--token-file', '/no/such']
    expect((await callAction({ words: lost, data, adminPort: port })).text).toBe(
      'The file /no/such cannot be read: it does not exist.\n',
    )
  })
})
