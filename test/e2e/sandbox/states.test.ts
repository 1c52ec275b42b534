/**
 * States of an exchange on threads, while clients trade: what was acknowledged before a save is there after its load,
 * nothing of later is, and a fork begins with exactly what there was.
 */
import { cpSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openDataFolder } from '../../../scripts/audit/data-folder.ts'
import { auditJournals } from '../../../scripts/audit/journal-audit.ts'
import { ExchangeProcess } from '../../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { parseConfig } from '../../../src/config/config.ts'
import { makeBackup, readManifest } from '../../../src/journal/backup.ts'
import { FORK_MANIFEST } from '../../../src/journal/states.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { TestSocket } from '../../fixtures/test-socket.ts'
import { act } from '../admin-server.ts'

const started: ExchangeProcess[] = []
afterEach(async () => {
  for (const exchange of started.splice(0)) await exchange.remove()
})

async function prepare(...flags: readonly string[]): Promise<ExchangeProcess> {
  const exchange = await ExchangeProcess.prepare(['--sandbox', 'on', ...flags])
  started.push(exchange)
  await exchange.run()
  return exchange
}

const symbols = ['BTCUSDT', 'ETHUSDT', 'ETHBTC'] as const
const ACCOUNTS = ['trader1', 'trader2', 'maker'] as const

/** An order that an exchange acknowledged: the account, its symbol and its client order id. */
interface Acknowledged {
  readonly account: string
  readonly symbol: string
  readonly id: string
}

/** Accounts that place orders all the while, whatever becomes of their connections. */
class Crowd {
  readonly acknowledged: Acknowledged[] = []
  /** Begins the client order ids of orders that are sent from now on. */
  phase = 'before'
  private readonly exchange: ExchangeProcess
  private readonly trading: Promise<unknown>
  private isOver = false
  private sent = 0

  constructor(exchange: ExchangeProcess) {
    this.exchange = exchange
    this.trading = Promise.all(ACCOUNTS.map((account, i) => this.trade(account, i === 1)))
  }

  of(phase: string): readonly Acknowledged[] {
    return this.acknowledged.filter(({ id }) => id.startsWith(`${phase}-`))
  }

  async stop(): Promise<void> {
    this.isOver = true
    await this.trading
  }

  private async trade(account: string, isSeller: boolean): Promise<void> {
    const client = clientOf(this.exchange, account)
    while (!this.isOver) {
      const symbol = symbols[this.sent % symbols.length]!
      const id = `${this.phase}-${++this.sent}`
      const price = symbol === 'ETHBTC' ? 0.05 : 2_000 + (this.sent % 7)
      const order = { symbol, type: 'LIMIT', timeInForce: 'GTC', quantity: 0.01, price }
      const side = isSeller ? 'SELL' : 'BUY'
      const answer = await client
        .send('POST', '/api/v3/order', { ...order, side, newClientOrderId: id })
        .catch(() => undefined)
      if (answer?.status === 200) this.acknowledged.push({ account, symbol, id })
      else await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
}

const clientOf = (exchange: ExchangeProcess, account: string) =>
  new SignedClient(exchange.url, exchange.keys()[account]!)

const enough = (crowd: Crowd, phase: string) =>
  eventually(`orders ${phase}`, () => (crowd.of(phase).length >= 60 ? true : undefined))

/** Returns the client order ids of the orders that the exchange finds. */
async function found(exchange: ExchangeProcess, orders: readonly Acknowledged[]) {
  const ids = orders.map(async ({ account, symbol, id }) => {
    const query = { symbol, origClientOrderId: id }
    const { status } = await eventually(id, async () => {
      const answer = await clientOf(exchange, account).send('GET', '/api/v3/order', query)
      // The archive may be behind for a moment.
      return answer.status === 200 || answer.body.code === -2013 ? answer : undefined
    })
    return status === 200 ? [id] : []
  })
  return (await Promise.all(ids)).flat()
}

const auditOf = async (exchange: ExchangeProcess) => (await act(exchange, 'audit', {})).said

test('load and reset under load: all of before the save, nothing of later', async () => {
  const exchange = await prepare()
  const crowd = new Crowd(exchange)
  await enough(crowd, 'before')
  const sure = [...crowd.of('before')]
  await act(exchange, 'save', { name: 'one' })
  crowd.phase = 'later'
  await enough(crowd, 'later')
  const gone = [...crowd.of('later')]
  crowd.phase = 'during'
  const stream = await TestSocket.open(`${exchange.wsUrl}/ws/btcusdt@depth`)
  const { body } = await clientOf(exchange, 'trader1').send('POST', '/api/v3/userDataStream')
  await act(exchange, 'load', { name: 'one' })
  await eventually('the shutdown', async () => {
    const { e } = await stream.next()
    return e === 'serverShutdown' || undefined
  })
  await expect(stream.nextText().then(() => stream.nextText())).rejects.toThrow('closed with')
  const { apiKey } = exchange.keys().trader1!
  const kept = await fetch(`${exchange.url}/api/v3/userDataStream?listenKey=${body.listenKey}`, {
    method: 'PUT',
    headers: { 'X-MBX-APIKEY': apiKey },
  })
  expect(await kept.json()).toMatchObject({ code: -1125 })
  await enough(crowd, 'during')
  expect(await found(exchange, sure)).toEqual(sure.map(({ id }) => id))
  expect(await found(exchange, gone)).toEqual([])
  expect(await auditOf(exchange)).toBe('Every asset adds up.')
  await act(exchange, 'reset', {})
  crowd.phase = 'reset'
  await enough(crowd, 'reset')
  await crowd.stop()
  expect(await found(exchange, [...sure, ...gone].slice(0, 40))).toEqual([])
  expect(await auditOf(exchange)).toBe('Every asset adds up.')
  expect((await exchange.stop()).code).toBe(0)
})

test('a fork while clients trade: both hashes are equal at the fork, and both go on', async () => {
  const exchange = await prepare()
  const crowd = new Crowd(exchange)
  await enough(crowd, 'before')
  await act(exchange, 'fork', { name: 'other' })
  crowd.phase = 'later'
  await enough(crowd, 'later')
  await crowd.stop()
  expect(await auditOf(exchange)).toBe('Every asset adds up.')
  await exchange.stop()
  const fork = path.join(exchange.data, 'forks', 'other')
  const again = `${exchange.data}-again`
  const cut = readManifest(fork, FORK_MANIFEST)
  const positions = { ...cut, snapshot: 0 }
  makeBackup(exchange.data, again, positions, [], { goesOn: () => true, copied: () => {} })
  // An audit keeps its claim of the folder.
  const copy = `${exchange.data}-copy`
  cpSync(fork, copy, { recursive: true })
  const [forked, there] = await Promise.all([copy, again].map(auditedAt))
  for (const folder of [copy, again]) rmSync(folder, { recursive: true })
  expect(forked).toMatchObject({ findings: [] })
  expect(forked!.events).toBeGreaterThan(0)
  expect([forked!.hash, forked!.events]).toEqual([there!.hash, there!.events])
  const other = await ExchangeProcess.prepare(['--sandbox', 'on'], undefined, undefined, fork)
  started.push(other)
  await Promise.all([other.run(), exchange.run()])
  for (const one of [other, exchange]) {
    const goingOn = new Crowd(one)
    await enough(goingOn, 'before')
    await goingOn.stop()
    expect(await auditOf(one)).toBe('Every asset adds up.')
  }
})

async function auditedAt(folder: string) {
  const { accounts, ordersPerSymbol } = parseConfig([], {}, () => '').config!
  const data = await openDataFolder(folder)
  return auditJournals({
    data,
    accountsMax: accounts,
    ordersMax: ordersPerSymbol,
    advanced: () => {},
  })
}

test('a kill during a load leaves the old or the new state', async () => {
  const exchange = await prepare()
  const trader = clientOf(exchange, 'trader1')
  const place = (newClientOrderId: string) =>
    trader.send('POST', '/api/v3/order', {
      symbol: 'BTCUSDT',
      side: 'BUY',
      type: 'LIMIT',
      timeInForce: 'GTC',
      quantity: 0.01,
      price: 2_000,
      newClientOrderId,
    })
  await place('before')
  await act(exchange, 'save', { name: 'one' })
  for (const [times, waitMs] of [0, 150, 300, 600].entries()) {
    await place(`later-${times}`)
    const loading = act(exchange, 'load', { name: 'one' }).catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    await exchange.stop('SIGKILL')
    await loading
    await exchange.run()
    const { body } = await trader.send('GET', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
    const ids = (body as unknown as { clientOrderId: string }[]).map((it) => it.clientOrderId)
    const isNew = ids.length === 1
    expect(ids[0]).toBe('before')
    if (!isNew) expect(ids).toContain(`later-${times}`)
    expect(await auditOf(exchange)).toBe('Every asset adds up.')
    expect((await act(exchange, 'states', {})).rows).toMatchObject([{ name: 'one' }])
  }
})

test('a stop during a load waits for it, or comes first', async () => {
  const exchange = await prepare('--matchers', '1', '--gateways', '1')
  await act(exchange, 'save', { name: 'one' })
  for (const waitMs of [0, 200]) {
    const loading = act(exchange, 'load', { name: 'one' }).catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    expect((await exchange.stop()).code).toBe(0)
    await loading
    await exchange.run()
    expect(await auditOf(exchange)).toBe('Every asset adds up.')
  }
})

test('without its archive a state is loaded, and history comes from the journals', async () => {
  const exchange = await prepare('--matchers', '1', '--gateways', '1')
  const crowd = new Crowd(exchange)
  await enough(crowd, 'before')
  await crowd.stop()
  await act(exchange, 'save', { name: 'one' })
  rmSync(path.join(exchange.data, 'states', 'one', 'archive'), { recursive: true })
  await act(exchange, 'load', { name: 'one' })
  const orders = crowd.of('before')
  expect(await found(exchange, orders)).toEqual(orders.map(({ id }) => id))
})
