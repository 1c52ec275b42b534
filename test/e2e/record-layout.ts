/**
 * Records a data folder of this build with what it answers of it: the fixture of the test that a later layout
 * still reads this one. Run it before the layout changes, and keep its file for good:
 *
 *   npm run build && node dist/test/e2e/record-layout.js test/fixtures/recorded/layout-N.tar.gz
 *
 * The folder has every kind of event, every kind of fact, a snapshot, an archive, and blocks in sealed
 * segments, in LMDB and in write-ahead logs: the run that wrote the last ones was killed.
 * `answers.json` has what a start of the same build answers afterwards, `export/` what its journals say.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { checkpointedBlocks, JournalWalk } from '../../scripts/audit/left-journal.ts'
import { type DemoKey, ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { sealSegment } from '../../src/agents/compactor.ts'
import { coveredByAll } from '../../src/agents/snapshots.ts'
import { DETAILED } from '../../src/base/codes.ts'
import { Prng } from '../../src/base/prng.ts'
import type { Fact } from '../../src/control/facts.ts'
import { ControlStore } from '../../src/journal/control-store.ts'
import { journalFolder, LmdbStore } from '../../src/journal/lmdb-store.ts'
import { journalsIn } from '../../src/journal/recovery.ts'
import { lastSealedBlock } from '../../src/journal/sealed-segments.ts'
import { snapshotsIn } from '../../src/journal/snapshot.ts'
import { WalCells } from '../../src/journal/wal-cells.ts'
import { WholeOrderEvent } from '../../src/layout/accessors.gen.ts'
import { recordLength, recordType } from '../../src/layout/record-buffer.ts'
import { RecordType } from '../../src/layout/records.gen.ts'
import { schemas } from '../../src/layout/schema.ts'
import { act } from './admin-server.ts'
import { randomRequest } from './random-requests.ts'
import { type Asked, accountQueries, marketQueries, operatorQueries } from './recorded-answers.ts'

const [output = ''] = process.argv.slice(2)
const FLAGS = ['--demo', 'off', '--matchers', '2', '--gateways', '1']
/** Each with a place in the order of its keys. */
const ACCOUNTS = ['one', 'two', 'three']
/** A sub-account of the first. */
const SUB = 'sub'
const emailOf = (account: string) => `${account}@ringbook.invalid`
const OUTSIDE = `0x${'a'.repeat(40)}`
const CAPITAL = '/sapi/v1/capital'
const SEED = 20_263
const SEALED_BYTES = 20_000
const REQUESTS = 60
const LIMIT = { type: 'LIMIT', timeInForce: 'GTC', newOrderRespType: 'FULL' }
const MODES = 'NONE,EXPIRE_TAKER,EXPIRE_MAKER,EXPIRE_BOTH,DECREMENT,TRANSFER'

/** All but that of a demo, which forgets. */
const FACTS = [
  ...['start', 'journals', 'asset', 'symbol', 'exchange', 'account', 'key', 'deposit'],
  ...['withdrawal', 'lock', 'placement', 'maintenance', 'operator', 'act'],
  ...['group', 'chain', 'network'],
]

type Params = Readonly<Record<string, string | number>>

const filters = (tick: string, maxPrice: string, step: string, maxQty: string) => [
  { filterType: 'PRICE_FILTER', minPrice: tick, maxPrice, tickSize: tick },
  { filterType: 'LOT_SIZE', minQty: step, maxQty, stepSize: step },
  { filterType: 'ICEBERG_PARTS', limit: 100 },
]

const exchange = await ExchangeProcess.prepare(FLAGS)
const keys: DemoKey[] = []
const clients = new Map<string, SignedClient>()
const prng = new Prng(SEED)

const operate = (name: string, given: object = {}) => act(exchange, name, given)

/** Sends a request that must succeed. */
async function send(account: string, method: string, target: string, params: Params = {}) {
  const path = target.startsWith('/') ? target : `/api/v3/${target}`
  const { status, body } = await clients.get(account)!.send(method, path, params)
  if (status !== 200) throw new Error(`${method} ${target}: ${JSON.stringify({ params, body })}`)
  return body
}
const place = (account: string, side: string, params: Params) =>
  send(account, 'POST', 'order', { ...LIMIT, side, ...params })

await exchange.run()
await openVenue()
await tradeBtc()
await tradeShib()
await chance('BNBUSDT')
await chance('BNBBTC')
await auction()
await safeguard()
await fund('1')
await moveCoins('1')
await stopChain()
// A stop brings all blocks to LMDB, and so into the snapshot.
await exchange.stop()
await exchange.run()
await operate('snapshot')
await exchange.stop()
sealSegments()
await exchange.run()
await chance('BNBUSDT')
await tradeShib()
await tradeBtc()
await auction()
await fund('2')
await route()
await moveCoins('2')
await lastDay()
await exchange.stop('SIGKILL')
const kept = fs.mkdtempSync(path.join(os.tmpdir(), 'ringbook-layout-'))
fs.cpSync(exchange.data, path.join(kept, 'data'), { recursive: true })
expectAllKinds()
exportJournals()
await exchange.run()
await recordAnswers()
await exchange.stop()
pack()
await exchange.remove()
fs.rmSync(kept, { recursive: true })

/** Facts of every kind. */
async function openVenue(): Promise<void> {
  for (const asset of ['BTC', 'USDT', 'BNB', 'SHIB', 'USDC']) {
    await operate('asset-list', { asset })
  }
  const list = (base: string, quote: string, rules: object[], matcher: string) =>
    operate('symbol-list', {
      base,
      quote,
      filters: JSON.stringify(rules),
      prevention: MODES,
      matcher,
    })
  await list('BTC', 'USDT', filters('0.01', '1000000', '0.00001', '9000'), '0')
  await list('SHIB', 'USDT', filters('0.00000001', '1', '1', '80000000'), '1')
  await list('BNB', 'USDT', filters('1', '1000000', '1', '9000000'), '0')
  await list('BNB', 'BTC', filters('1', '1000000', '1', '9000000'), '1')
  await list('BTC', 'USDC', filters('0.01', '1000000', '0.00001', '9000'), '0')
  await operate('account-open', { account: 'one', 'trade-group': '7' })
  await operate('account-open', { account: 'two', 'trade-group': '7', maker: '0.0005' })
  await operate('account-open', { account: 'three', maker: '0.001', taker: '0.002' })
  await operate('account-open', { account: 'four' })
  await operate('account-rename', { account: 'four', name: 'closed' })
  await operate('account-close', { account: 'closed' })
  await operate('exchange-discount', { asset: 'BNB', rate: '0.75' })
  await operate('exchange-filters', {
    filters: JSON.stringify([{ filterType: 'EXCHANGE_MAX_NUM_ORDERS', maxNumOrders: 1000 }]),
  })
  await operate('account-discount', { account: 'three' })
  await operate('symbol-fees', {
    symbol: 'BTCUSDT',
    'special-taker': '0.0001',
    'tax-buyer': '0.0002',
    discount: 'on',
  })
  await operate('account-open', { account: SUB, master: 'one' })
  await operate('account-open', { account: 'router' })
  await operate('deposit', { account: 'router', asset: 'USDC', amount: '1000000' })
  await operate('sor-group', { base: 'BTC', symbols: 'BTCUSDT,BTCUSDC', account: 'router' })
  await listChains()
  for (const account of ACCOUNTS) {
    const { rows } = await operate('key-create', { account, withdraw: 'on' })
    const { apiKey, secretKey } = rows[0] as unknown as DemoKey
    keys.push({ account, apiKey, secretKey })
    clients.set(account, new SignedClient(exchange.url, keys.at(-1)!))
    await operate('deposit', { account, asset: 'BTC', amount: '5000.00000001' })
    await operate('deposit', { account, asset: 'USDT', amount: '80000000' })
    await operate('deposit', { account, asset: 'USDT', amount: '80000000.12345678' })
    await operate('deposit', { account, asset: 'BNB', amount: '3000' })
    for (let i = 0; i < 4; i++) {
      await operate('deposit', { account, asset: 'SHIB', amount: '90000000' })
    }
  }
  await operate('operator-add', { operator: 'watcher', role: 'watch' })
}

/** Commissions in what is received, and in the discount asset; every type, every change, by name. */
async function tradeBtc(): Promise<void> {
  const symbol = 'BTCUSDT'
  const labels = { strategyId: Number.MAX_SAFE_INTEGER, strategyType: 1_000_000 }
  const at = (price: number, quantity: string): Params => ({ symbol, price, quantity })
  await place('one', 'SELL', { ...at(50_000.01, '12.34567'), ...labels, icebergQty: '1.5' })
  await place('two', 'SELL', at(50_000.02, '0.00001'))
  await place('two', 'BUY', at(49_000, '1.00001'))
  await place('three', 'BUY', at(50_001, '3.33333'))
  const plain = { symbol, type: 'MARKET', newOrderRespType: 'FULL' }
  await send('three', 'POST', 'order', { ...plain, side: 'BUY', quoteOrderQty: '12345.67' })
  await send('three', 'POST', 'order', { ...plain, side: 'SELL', quantity: '0.12345' })
  await place('three', 'BUY', { ...at(50_000.01, '0.5'), timeInForce: 'IOC', ...labels })
  await place('three', 'BUY', { ...at(50_000.01, '0.25'), timeInForce: 'FOK' })
  const maker = { ...at(49_500, '2'), type: 'LIMIT_MAKER' }
  const { timeInForce: _, ...untimed } = { ...LIMIT, ...maker }
  const made = await send('one', 'POST', 'order', { ...untimed, side: 'BUY' })
  const own = { symbol, orderId: Number(made.orderId) }
  await send('one', 'PUT', 'order/amend/keepPriority', { ...own, newQty: '1.5' })
  const replaced = await send('one', 'POST', 'order/cancelReplace', {
    ...LIMIT,
    ...at(49_400, '1.25'),
    side: 'BUY',
    cancelReplaceMode: 'STOP_ON_FAILURE',
    cancelOrderId: own.orderId,
  })
  const { orderId } = replaced.newOrderResponse as { orderId: number }
  await send('one', 'DELETE', 'order', { symbol, orderId, newClientOrderId: 'i-canceled-it' })
  for (const [type, stopPrice, side] of [
    ['STOP_LOSS', 45_000, 'SELL'],
    ['TAKE_PROFIT', 60_000, 'SELL'],
  ] as const) {
    const stop = { symbol, type, side, stopPrice, quantity: '0.1', ...labels }
    await send('two', 'POST', 'order', stop)
    const priced = { ...LIMIT, ...stop, type: `${type}_LIMIT`, price: stopPrice }
    await send('two', 'POST', 'order', priced)
  }
  const trailing = { symbol, type: 'STOP_LOSS', side: 'SELL', quantity: '0.2', trailingDelta: 100 }
  await send('one', 'POST', 'order', { ...trailing, stopPrice: 49_999 })
  await send('two', 'POST', 'order', trailing)
  await send('one', 'POST', 'orderList/oco', {
    symbol,
    side: 'SELL',
    quantity: '0.3',
    listClientOrderId: `list-${prng.uint32()}`,
    aboveType: 'LIMIT_MAKER',
    abovePrice: 70_000,
    aboveStrategyId: 7,
    belowType: 'STOP_LOSS',
    belowStopPrice: 44_000,
  })
}

/** Amounts near what one order could move in layout 3. */
async function tradeShib(): Promise<void> {
  const symbol = 'SHIBUSDT'
  const strategy = { strategyId: 2 ** 40, strategyType: 2_000_000_000 }
  await place('one', 'SELL', { symbol, price: '0.99999999', quantity: 80_000_000, ...strategy })
  await place('two', 'BUY', { symbol, price: '0.99999999', quantity: 60_000_000 })
  await place('two', 'SELL', { symbol, price: '0.5', quantity: 30_000_000, ...strategy })
  await place('three', 'SELL', { symbol, price: '0.00000003', quantity: 1 })
  await place('one', 'BUY', { symbol, price: '0.00000001', quantity: 79_999_999 })
}

/** A call, and the auction that ends it. */
async function auction(): Promise<void> {
  const symbol = 'BTCUSDT'
  await operate('symbol-status', { symbol, status: 'AUCTION_MATCH' })
  await place('two', 'BUY', { symbol, price: 50_100, quantity: '0.5' })
  await place('one', 'SELL', { symbol, price: 49_900, quantity: '0.25' })
  await operate('symbol-status', { symbol, status: 'TRADING' })
}

/** A protection that stays, and a countdown that the last day ends: one that is over would cancel at each start. */
async function safeguard(): Promise<void> {
  const windowMs = 60_000
  await send('two', 'POST', '/ringbook/v1/protection', {
    symbol: 'BNBUSDT',
    windowMs,
    maxFills: 100_000,
    maxNotional: '70000000.5',
  })
  await send('three', 'POST', '/ringbook/v1/countdownCancelAll', { countdownTime: 3_600_000 })
}

/** An OPO list whose working order is filled, pegs, a reference price from outside and a block trade. */
async function fund(id: string): Promise<void> {
  const symbol = 'BTCUSDT'
  await operate('symbol-features', { symbol, opo: 'on', peg: 'on' })
  await operate('symbol-reference', { symbol, reference: 'external', 'external-id': '1' })
  await operate('reference-price', { symbol, price: '50000' })
  const trade = { symbol, buyer: 'one', seller: 'two', price: '50000', quantity: '0.5' }
  await operate('block-trade', { ...trade, id: `agreed-${id}`, fee: '0.001' })
  await place('two', 'SELL', { symbol, price: 48_000, quantity: '0.5' })
  await place('one', 'BUY', { symbol, price: 40_000, quantity: '0.5', pegPriceType: 'PRIMARY_PEG' })
  await send('three', 'POST', 'orderList/opo', {
    symbol,
    workingType: 'LIMIT',
    workingTimeInForce: 'GTC',
    workingSide: 'BUY',
    workingPrice: 55_000,
    workingQuantity: '0.125',
    pendingType: 'LIMIT',
    pendingTimeInForce: 'GTC',
    pendingSide: 'SELL',
    pendingPrice: 60_000,
  })
}

/** A chain that goes on, and one that is stopped for good, with a memo: what waits there stays as it is. */
async function listChains(): Promise<void> {
  await operate('chain-list', { chain: 'ETH', form: 'ethereum', 'block-seconds': '1' })
  const still = { chain: 'STILL', form: 'tron', 'block-seconds': '1', memo: 'on' }
  await operate('chain-list', still)
  const fees = { coin: 'USDT', fee: '4', 'withdraw-min': '10' }
  await operate('coin-network-list', { ...fees, chain: 'ETH', 'unlock-confirmations': '2' })
  const slow = { confirmations: '2', 'unlock-confirmations': '10000', 'approval-above': '50' }
  await operate('coin-network-list', { ...fees, chain: 'STILL', ...slow })
  await operate('coin-network-list', { coin: 'BTC', chain: 'STILL', 'deposit-min': '1' })
}

/** Sends an amount from outside to an account's address. */
async function chainSend(account: string, coin: string, chain: string, amount: string, id = '') {
  const { rows } = await operate('deposit-address', { account, coin, chain })
  const { address, memo } = rows[0] as unknown as { address: string; memo: string }
  await operate('chain-send', { address, memo, coin, chain, amount, id })
}

type State = Readonly<Record<string, unknown>>

/** Waits until the newest row of a list has the status: blocks come by the clock. */
async function reached(list: string, status: number, params: Params = {}): Promise<void> {
  for (;;) {
    const rows = (await send('one', 'GET', `${CAPITAL}/${list}`, params)) as unknown as State[]
    if (rows[0]?.status === status) return
    await setTimeout(100)
  }
}

async function withdraw(chain: string, amount: string, withdrawOrderId: string): Promise<string> {
  const { rows } = await operate('deposit-address', {
    account: 'two',
    coin: 'USDT',
    chain: 'STILL',
  })
  const { address } = rows[0] as unknown as { address: string }
  const to = chain === 'ETH' ? { address: OUTSIDE } : { address, addressTag: '7' }
  const asked = { coin: 'USDT', network: chain, amount, withdrawOrderId, ...to }
  return (await send('one', 'POST', `${CAPITAL}/withdraw/apply`, asked)).id as string
}

/** Over the chain that goes on: a deposit, a withdrawal, transfers, a debt and its payment. */
async function moveCoins(id: string): Promise<void> {
  await chainSend('one', 'USDT', 'ETH', '100.5', `deposit-${id}`)
  await reached('deposit/hisrec', 1, { coin: 'USDT' })
  await withdraw('ETH', '25', `withdrawal-${id}`)
  await reached('withdraw/history', 6)
  await chainSend(SUB, 'USDT', 'ETH', '10')
  const ofSub = { email: emailOf(SUB) }
  await reached('sub-account/deposit/history', 1, ofSub)
  const back = { fromEmail: emailOf(SUB), toEmail: emailOf('one'), asset: 'USDT' }
  const transfer = '/sapi/v3/sub-account/transfer'
  await send('one', 'POST', transfer, { ...back, amount: '10', clientTranId: `refill-${id}` })
  await operate('chain-congest', { chain: 'ETH', blocks: '1' })
  await operate('chain-reorganise', { chain: 'ETH', blocks: '5', drop: 'on' })
  await reached('sub-account/deposit/history', 2, ofSub)
  await operate('chain-congest', { chain: 'ETH', blocks: '0' })
  await operate('deposit', { account: SUB, asset: 'USDT', amount: '20' })
  await send('one', 'POST', transfer, { ...back, amount: '1' })
}

/** Deposits and withdrawals that stay in each state that is not the last one. */
async function stopChain(): Promise<void> {
  await chainSend('one', 'BTC', 'STILL', '0.5')
  await chainSend('one', 'USDT', 'STILL', '30')
  await reached('deposit/hisrec', 6, { coin: 'USDT' })
  await operate('chain-stop', { chain: 'STILL' })
  await chainSend('one', 'USDT', 'STILL', '40')
  await withdraw('STILL', '20', 'processing')
  for (const name of ['sent', 'canceled', 'awaits', 'rejected']) {
    const withdrawal = await withdraw('STILL', '60', name)
    if (name === 'canceled') await operate('withdrawal-cancel', { id: withdrawal })
    if (name === 'awaits') await operate('withdrawal-confirm', { id: withdrawal })
    if (name === 'rejected') await operate('withdrawal-reject', { id: withdrawal })
  }
}

/** An order that takes in the book of another symbol. */
async function route(): Promise<void> {
  const order = { ...LIMIT, quantity: '0.25', price: 30_000 }
  await operate('deposit', { account: 'two', asset: 'USDC', amount: '20000' })
  await send('two', 'POST', 'order', { ...order, symbol: 'BTCUSDC', side: 'BUY', price: 60_000 })
  await send('one', 'POST', 'sor/order', { ...order, symbol: 'BTCUSDT', side: 'SELL' })
}

/** Every type and list under every mode of prevention; refusals are no matter. */
async function chance(symbol: string): Promise<void> {
  for (let round = 0; round < REQUESTS; round++) {
    for (const account of ACCOUNTS) {
      const client = clients.get(account)!
      const { body } = await client.send('GET', '/api/v3/openOrders', { symbol })
      const open = body as unknown as Record<string, unknown>[]
      const { method, path, params } = randomRequest(prng, symbol, true, open)
      await client.send(method, path, params)
    }
  }
}

/** What operators do on a day, and the last orders, which only write-ahead logs have. */
async function lastDay(): Promise<void> {
  await send('three', 'POST', '/ringbook/v1/countdownCancelAll', { countdownTime: 0 })
  await operate('withdraw', { account: 'one', asset: 'BTC', amount: '0.00000001' })
  await operate('lock', { account: 'two', asset: 'USDT', amount: '1000.5' })
  await operate('unlock', { account: 'two', asset: 'USDT', amount: '0.25' })
  await operate('distribute', {
    account: 'two',
    asset: 'BNB',
    amount: '1.25',
    category: 'rebate',
  })
  await operate('halt', { symbol: 'SHIBUSDT' })
  await operate('resume', { symbol: 'SHIBUSDT' })
  await operate('maintenance', { on: 'on' })
  await operate('symbol-delist', { symbol: 'BNBBTC' })
  await operate('account-freeze', { account: 'two', frozen: 'on' })
  await operate('account-freeze', { account: 'two', frozen: 'off' })
  await operate('account-permissions', { account: 'three', 'closed-symbols': 'BNBUSDT' })
  for (let i = 1; i <= 20; i++) {
    await place('one', 'SELL', { symbol: 'BTCUSDT', price: 51_000 + i, quantity: '0.125' })
    await place('one', 'BUY', { symbol: 'SHIBUSDT', price: '0.00000002', quantity: 1_000 + i })
  }
  await place('three', 'BUY', { symbol: 'BTCUSDT', price: 51_001, quantity: '0.0625' })
}

/** Into segments far smaller than a running exchange's. */
function sealSegments(): void {
  const dataFolder = exchange.data
  for (const [matcher, { position }] of coveredByAll(dataFolder)) {
    const cells = new WalCells()
    const options = { dataFolder, matcher, cells, covered: position, goesOn: () => true }
    sealSegment({ ...options, segmentBytes: SEALED_BYTES })
    sealSegment({ ...options, segmentBytes: SEALED_BYTES })
    const store = new LmdbStore(journalFolder(dataFolder, matcher))
    while (store.removeUpTo(cells.sealed, SEALED_BYTES) > 0);
    store.close()
  }
  if (journalsIn(dataFolder).length !== 2) throw new Error('there are two journals')
}

/** Throws unless there are events and facts of every kind, and blocks in every place. */
function expectAllKinds(): void {
  const data = path.join(kept, 'data')
  const found = new Set<string | number>()
  const walk = new JournalWalk({ folder: data, corrections: [] })
  for (let block = walk.next(); block !== undefined; block = walk.next()) {
    const { records, start, end } = block
    for (let at = start; at < end; at += recordLength(records, at)) {
      const type = recordType(records, at)
      found.add(type)
      const isDetailed = (WholeOrderEvent.terms(records, at) & DETAILED) !== 0
      if (type === RecordType.OrderAccepted && isDetailed) found.add('details')
    }
    const checkpointed = checkpointedBlocks(data).get(block.matcher)!
    const isSealed = block.position <= lastSealedBlock(journalFolder(data, block.matcher))
    found.add(isSealed ? 'sealed' : block.position > checkpointed ? 'wal' : 'lmdb')
  }
  walk.close()
  const control = ControlStore.open(data)
  for (const fact of control.entries()) found.add((fact as Fact).fact)
  control.close()
  const events = schemas.filter(({ kind }) => kind === 'event')
  const wanted = [...events.map(({ type }) => type), 'details', 'sealed', 'wal', 'lmdb', ...FACTS]
  const missing = wanted.filter((it) => !found.has(it))
  if (missing.length > 0) throw new Error(`there is no ${missing.join(', ')}`)
  if (snapshotsIn(data).length === 0) throw new Error('there is no snapshot')
}

function exportJournals(): void {
  fs.mkdirSync(path.join(kept, 'export'))
  for (const what of ['orders', 'trades', 'ledger']) {
    const out = path.join(kept, 'export', `${what}.csv`)
    const data = path.join(kept, 'data')
    const words = ['dist/scripts/export.js', '--data', data, '--what', what, '--out', out]
    execFileSync(process.execPath, words)
  }
}

async function recordAnswers(): Promise<void> {
  const answers: Asked[] = []
  const endMs = Date.now()
  for (const query of marketQueries(endMs)) {
    const response = await fetch(`${exchange.url}${query.target}`)
    answers.push({ ...query, body: await response.json() })
  }
  for (const account of ACCOUNTS) {
    for (const query of accountQueries(endMs)) {
      const { body } = await clients.get(account)!.send('GET', query.target, query.params)
      answers.push({ ...query, account, body })
    }
  }
  for (const query of operatorQueries) {
    const { rows } = await operate(query.act, query.params)
    answers.push({ ...query, body: rows })
  }
  fs.writeFileSync(path.join(kept, 'answers.json'), JSON.stringify(answers))
  fs.writeFileSync(path.join(kept, 'data', 'demo-keys.json'), JSON.stringify(keys))
}

function pack(): void {
  fs.rmSync(path.join(kept, 'data', 'operator-token'), { force: true })
  const time = '--mtime=2026-01-01 --owner=0 --group=0 --numeric-owner --sort=name'.split(' ')
  const names = ['data', 'answers.json', 'export']
  const words = ['-C', kept, '--sparse', ...time, '-I', 'gzip -9', '-cf', output, ...names]
  execFileSync('tar', words)
}
