/** Operator acts against a plain ledger: what each comes to, and that a refused one changes nothing. */
import { beforeEach, describe, expect, test } from 'vitest'
import { SymbolStatus } from '../../../src/base/codes.ts'
import { ActError, type ExchangeView } from '../../../src/operator/act.ts'
import { CommandExecutor, type ControlPlane } from '../../../src/operator/command-executor.ts'
import { acts } from '../../../src/operator/commands.ts'
import { exchangeAccount } from '../../../src/operator/demo.ts'
import type { Fact } from '../../../src/operator/facts.ts'
import { Registry } from '../../../src/operator/registry.ts'
import { Vault } from '../../../src/operator/vault.ts'

const FILTERS = JSON.stringify([
  { filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '1000', tickSize: '0.01' },
  { filterType: 'LOT_SIZE', minQty: '0.01', maxQty: '100', stepSize: '0.01' },
])

/** Free and locked in one map; a hold takes from free at once. */
class PlainControlPlane implements ControlPlane {
  readonly free = new Map<string, bigint>()
  readonly locked = new Map<string, bigint>()
  readonly journaled: Fact[] = []
  readonly enforced: Fact[] = []
  readonly done: string[] = []
  isDiskFull = false
  hasRoom = true
  events: number[] = []
  snapshotMade: Promise<void> = Promise.resolve()
  readonly view: ExchangeView = {
    balance: (account, asset) => {
      const at = `${account}/${asset}`
      return { free: this.free.get(at) ?? 0n, locked: this.locked.get(at) ?? 0n }
    },
    total: (asset) =>
      [...this.free, ...this.locked].reduce(
        (sum, [at, atoms]) => (at.endsWith(`/${asset}`) ? sum + atoms : sum),
        0n,
      ),
    matcherOf: (symbol) => symbol % 2,
    symbolEvents: () => this.events,
    matchers: 2,
    accountsMax: 4,
  }

  hold(account: number, asset: number, atoms: bigint): boolean {
    const { free } = this.view.balance(account, asset)
    if (free >= atoms) this.free.set(`${account}/${asset}`, free - atoms)
    return free >= atoms
  }
  release(account: number, asset: number, atoms: bigint): void {
    this.#add(this.free, `${account}/${asset}`, atoms)
  }
  prepare(facts: readonly Fact[]): void {
    if (this.hasRoom || !facts.some(({ fact }) => fact === 'symbol')) return
    throw new RangeError('there is no memory for another book')
  }
  journal(facts: readonly Fact[]): void {
    if (this.isDiskFull) throw new Error('the disk is full')
    this.journaled.push(...facts)
  }
  async cancelOrders(account: number): Promise<void> {
    this.done.push(`cancel orders of ${account}`)
  }
  async enforce(facts: readonly Fact[]): Promise<void> {
    for (const fact of facts) {
      this.enforced.push(fact)
      if (fact.fact !== 'deposit' && fact.fact !== 'lock') continue
      const at = `${fact.account}/${fact.asset}`
      const atoms = BigInt(fact.atoms)
      if (fact.fact === 'lock') this.#add(this.locked, at, atoms)
      if (fact.fact === 'deposit') this.#add(this.free, at, atoms)
      else if (atoms < 0n) this.#add(this.free, at, -atoms)
    }
  }
  snapshot(): Promise<string> {
    return this.snapshotMade.then(() => 'Snapshot 1 covers 2 events.')
  }
  async drain(): Promise<void> {
    this.done.push('drain')
  }
  stop(): void {
    this.done.push('stop')
  }
  fail(error: Error): void {
    this.done.push(error.message)
  }
  #add(sums: Map<string, bigint>, at: string, atoms: bigint): void {
    sums.set(at, (sums.get(at) ?? 0n) + atoms)
  }
}

let registry: Registry
let controlPlane: PlainControlPlane
let executor: CommandExecutor

beforeEach(async () => {
  registry = new Registry()
  registry.apply(exchangeAccount())
  controlPlane = new PlainControlPlane()
  executor = new CommandExecutor(
    registry,
    new Vault(Buffer.alloc(32, 1)),
    controlPlane,
    () => 1_000,
  )
  await ask('asset-list BTC')
  await ask('asset-list USDT')
  await executor.act('symbol-list', { base: 'BTC', quote: 'USDT', filters: FILTERS })
  await ask('account-open alice --maker 0.001')
  await ask('deposit alice BTC 2')
})

/** Words in the order of the act's parameters, or after --name. */
function argumentsOf(text: string): [name: string, given: Record<string, string>] {
  const [name = '', ...words] = text.split(' ')
  const given: Record<string, string> = {}
  const params = acts.find((row) => row.name === name)?.params ?? []
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!
    if (word.startsWith('--')) given[word.slice(2)] = words[++i]!
    else given[params.find((param) => given[param.name] === undefined)?.name ?? 'more'] = word
  }
  return [name, given]
}
const ask = (text: string) => executor.act(...argumentsOf(text))

describe('what acts come to', () => {
  test.each([
    ['account-fees alice --taker 0.5', { fact: 'account', makerRate: 100_000, takerRate: 5e7 }],
    ['account-trade-group alice 7', { fact: 'account', id: 1, tradeGroupId: 7 }],
    ['account-discount 1', { fact: 'account', name: 'alice', discountEnabled: true }],
    ['account-permissions alice --trade off', { canTrade: false, permissions: ['SPOT'] }],
    ['account-permissions alice --closed-symbols BTCUSDT', { restrictedSymbols: [0] }],
    ['withdraw alice BTC 1.5', { fact: 'withdrawal', atoms: '150000000', timeMs: 1_000 }],
    ['lock alice BTC 0.00000001', { fact: 'lock', atoms: '1' }],
    ['distribute alice USDT 1 rebate', { fact: 'deposit', asset: 1, category: 'rebate' }],
    ['halt', { fact: 'symbol', id: 0, status: 4 }],
    ['symbol-status BTCUSDT PRE_TRADING', { fact: 'symbol', status: 0 }],
    ['symbol-fees BTCUSDT --tax-buyer 0.01', { fees: { tax: { buyer: 1_000_000 } } }],
    ['place BTCUSDT 1', { fact: 'placement', symbol: 0, matcher: 1 }],
    ['symbol-list USDT BTC --like BTCUSDT', { name: 'USDTBTC', id: 1, status: 1 }],
    ['symbol-list USDT BTC --like BTCUSDT --matcher 1', { fact: 'placement', symbol: 1 }],
    ['symbol-features BTCUSDT --oco off', { features: { oco: false, oto: true } }],
    ['symbol-features BTCUSDT --order-types LIMIT', { features: { orderTypes: [0] } }],
    [
      'symbol-features BTCUSDT --prevention NONE,EXPIRE_BOTH',
      { preventionModes: [0, 3], preventionDefault: 0 },
    ],
    [
      'exchange-filters [{"filterType":"EXCHANGE_MAX_NUM_ORDERS","maxNumOrders":7}]',
      { fact: 'exchange', filters: [{ maxNumOrders: 7 }] },
    ],
    ['exchange-discount BTC 0.75', { fact: 'exchange', discountRate: 75_000_000 }],
    ['exchange-discount none', { fact: 'exchange', discountAsset: '' }],
    ['maintenance on', { fact: 'maintenance', on: true }],
    ['key-create alice --trade off', { fact: 'key', kind: 'HMAC', account: 1, canTrade: false }],
    ['key-create alice --kind CUSTODIAL', { fact: 'key', kind: 'HMAC', use: 'CUSTODIAL' }],
    ['key-create alice --kind CREDIT_LINE', { fact: 'key', kind: 'HMAC', use: 'CREDIT_LINE' }],
  ])('%s', async (text, fact) => {
    await ask(text)
    expect(controlPlane.journaled.at(-1)).toMatchObject(fact)
    expect(controlPlane.enforced).toEqual(controlPlane.journaled)
  })

  test('a public key is taken, and a secret shown once', async () => {
    const { publicKey } = await import('node:crypto').then(({ generateKeyPairSync }) =>
      generateKeyPairSync('ed25519', {
        publicKeyEncoding: { type: 'spki', format: 'pem' },
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      }),
    )
    const given = { account: 'alice', kind: 'ED25519', 'public-key': publicKey }
    expect((await executor.act('key-create', given)).rows[0]).toMatchObject({ kind: 'ED25519' })
    const { rows } = await ask('key-create alice')
    expect(rows[0]!.secretKey).toMatch(/^[A-Za-z0-9]{64}$/)
    expect(JSON.stringify(controlPlane.journaled)).not.toContain(rows[0]!.secretKey)
    expect(JSON.stringify(await ask('keys alice'))).not.toContain(rows[0]!.secretKey)
    await ask(`key-revoke ${rows[0]!.apiKey}`)
    await expect(ask(`key-revoke ${rows[0]!.apiKey}`)).rejects.toThrow('revoked already')
  })

  test('an account that owns nothing is closed for good, with its keys', async () => {
    await ask('account-open bob')
    await ask('key-create bob')
    await ask('account-close bob')
    expect(controlPlane.journaled.at(-1)).toMatchObject({
      fact: 'key',
      canRead: false,
      canTrade: false,
    })
    await expect(ask('deposit bob BTC 1')).rejects.toThrow('The account bob is closed.')
    await expect(ask('account-freeze bob off')).rejects.toThrow('The account bob is closed.')
  })

  test('a freeze may cancel what is open, once it is in force', async () => {
    expect((await ask('account-freeze alice')).said).toBe('Account alice is frozen.')
    expect(controlPlane.done).toEqual([])
    const { said } = await ask('account-freeze alice --cancel-orders on')
    expect(said).toBe('Account alice is frozen; its open orders are canceled.')
    expect([controlPlane.done, controlPlane.enforced.at(-1)]).toMatchObject([
      ['cancel orders of 1'],
      { fact: 'account', id: 1, frozen: true },
    ])
  })

  test('what is decided now is told apart from what waits for a start', async () => {
    expect((await ask('halt')).said).toBe('Now halted: BTCUSDT.')
    expect((await ask('asset-list ETH')).said).toBe('Asset ETH is listed.')
    expect((await ask('place BTCUSDT 1')).said).toMatch(/It takes effect at the next start\.$/)
  })

  test('symbols are spread by what happened on them, but for those that are pinned', async () => {
    await ask('symbol-list USDT BTC --like BTCUSDT')
    await ask('asset-list ETH')
    await ask('symbol-list ETH BTC --like BTCUSDT')
    controlPlane.events = [0, 0, 0]
    await expect(ask('spread')).rejects.toThrow('Nothing has happened')
    controlPlane.events = [60, 0, 40]
    const shown = await ask('spread')
    expect(shown.said).toBe(
      'Placed so, the busiest matcher would have 60.0 % of the events, not 100.0 %.',
    )
    expect(shown.rows.map(({ matcher, proposed }) => [matcher, proposed])).toEqual([
      [0, 0],
      [1, 1],
      [0, 1],
    ])
    expect((await ask('symbols')).rows[2]).toMatchObject({ matcher: 0, matcherAtNextStart: 0 })
    expect((await ask('spread on')).said).toMatch(/ It takes effect at the next start\.$/)
    expect((await ask('symbols')).rows[2]).toMatchObject({ matcher: 0, matcherAtNextStart: 1 })
    expect((await ask('spread')).said).toBe('No symbol had better move.')
    await ask('place ETHBTC 0')
    expect((await ask('spread')).rows.map(({ proposed }) => proposed)).toEqual([1, 1, 0])
    await ask('place ETHBTC')
    expect(registry.placements.size).toBe(0)
  })

  test('filters of the exchange are set and removed one by one, its discount apart', async () => {
    const filter = (kind: string, field: string) =>
      `[{"filterType":"EXCHANGE_MAX_NUM_${kind}","${field}":2}]`
    await ask('exchange-discount BTC 0.5')
    await ask(`exchange-filters ${filter('ORDERS', 'maxNumOrders')}`)
    await ask(`exchange-filters ${filter('ALGO_ORDERS', 'maxNumAlgoOrders')}`)
    expect(registry.exchange).toMatchObject({ discountAssetId: 0, discountRate: 50_000_000 })
    expect(registry.exchange.filters).toHaveLength(2)
    await ask('exchange-filters [] --remove EXCHANGE_MAX_NUM_ORDERS')
    expect(registry.exchange.filters).toEqual([
      { filterType: 'EXCHANGE_MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders: 2 },
    ])
  })

  test('a symbol that is like another takes all that is not given', async () => {
    await ask('symbol-features BTCUSDT --amend off --prevention EXPIRE_BOTH')
    await ask('symbol-list USDT BTC --like BTCUSDT --status HALT')
    const { id: _, name: __, base: ___, quote: ____, status, ...like } = registry.symbols[1]!
    expect(registry.symbols[0]).toMatchObject(like)
    expect(status).toBe(SymbolStatus.HALT)
  })

  test('all sums agree, or the audit says where they do not', async () => {
    await ask('lock alice BTC 0.5')
    await ask('withdraw alice BTC 0.25')
    expect((await ask('audit')).rows[0]).toMatchObject({ deposited: '1.75000000' })
    controlPlane.free.set('1/1', 1n)
    await expect(ask('audit')).rejects.toThrow('differ in USDT')
  })

  test('only the caller waits for a snapshot', async () => {
    let made = () => {}
    controlPlane.snapshotMade = new Promise((resolve) => {
      made = resolve
    })
    const asked = ask('snapshot')
    expect((await ask('halt')).said).toBe('Now halted: BTCUSDT.')
    made()
    expect(await asked).toEqual({ said: 'Snapshot 1 covers 2 events.', rows: [] })
  })

  test.each([
    ['keys', '0 keys.'],
    ['key-create alice', 'A key of alice is made. Its secret is not shown again.'],
    ['accounts', '2 accounts.'],
    ['symbols', '1 symbol.'],
    [
      'exchange-discount BTC 0.25',
      'Commissions paid in BTC are 75 % less than the standard rates.',
    ],
    [
      'exchange-discount BTC 0.995',
      'Commissions paid in BTC are 0.5 % less than the standard rates.',
    ],
    ['exchange-discount none', 'There is no discount.'],
  ])('%s says: %s', async (text, said) => {
    expect((await ask(text)).said).toBe(said)
  })

  test('one of a thing is not several', async () => {
    await ask('key-create alice')
    expect((await ask('keys')).said).toBe('1 key.')
    await ask('account-open bob')
    await ask('key-create bob')
    expect((await ask('account-close bob')).said).toBe('Account bob is closed; 1 key is revoked.')
  })

  test('a drained exchange changes nothing, may be read, and stops', async () => {
    await ask('drain')
    const journaled = controlPlane.journaled.length
    for (const text of ['deposit alice BTC 1', 'halt', 'account-freeze alice --cancel-orders on']) {
      await expect(ask(text)).rejects.toThrow(
        'The exchange is drained and changes nothing any more; the next act is stop.',
      )
    }
    expect(controlPlane.journaled).toHaveLength(journaled)
    expect((await ask('balances alice')).rows[0]).toMatchObject({ free: '2.00000000' })
    await ask('stop')
    expect(controlPlane.done).toEqual(['drain', 'stop'])
  })

  test('replaying the facts gives the same registry', async () => {
    for (const text of ['lock alice BTC 1', 'halt', 'withdraw alice BTC 0.5', 'maintenance on']) {
      await ask(text)
    }
    const again = new Registry()
    again.apply(exchangeAccount())
    for (const fact of controlPlane.journaled) again.apply(JSON.parse(JSON.stringify(fact)))
    expect(again).toEqual(registry)
    expect(again.symbols).toEqual(registry.symbols)
    expect(again.deposited(0)).toBe(150_000_000n)
  })
})

describe('a refused act changes nothing', () => {
  test.each([
    ['nonsense', 'There is no act nonsense.'],
    ['halt BTCUSDT more', 'halt has no parameter more.'],
    [
      'deposit alice BTC',
      'deposit needs the argument amount. Example: ringbook deposit alice USDT 10000',
    ],
    ['deposit alice BTC -5', 'amount must be positive.'],
    ['deposit alice BTC 0', 'amount must be positive.'],
    ['deposit alice BTC -0.000000001', 'amount must be a decimal of at most 8 places.'],
    ['deposit alice BTC 1e3', 'amount must be a decimal of at most 8 places.'],
    ['deposit alice BTC 0.000000001', 'amount must be a decimal of at most 8 places.'],
    ['deposit alice BTC 99999999999', 'There is no room for so much of one asset.'],
    ['deposit carol BTC 1', 'There is no account carol.'],
    ['deposit alice DOGE 1', 'There is no asset DOGE.'],
    ['withdraw alice BTC 2.00000001', 'alice has 2.00000000 BTC free, which is not enough.'],
    ['lock alice BTC 3', 'alice has 2.00000000 BTC free, which is not enough.'],
    ['unlock alice BTC 1', 'Only 0.00000000 BTC of alice is locked from outside.'],
    [
      'distribute alice BTC 1 a/b',
      'category must be letters, digits, spaces, _ . and -, at most 64.',
    ],
    ['account-open alice', 'The name alice is taken.'],
    ['account-open 12', 'The name 12 would be read as an id.'],
    ['account-open a,b', 'account must be letters, digits, _ . and -, at most 32.'],
    ['account-open bob --maker 1%', 'maker must be a share of at most 8 decimals, such as 0.001.'],
    [
      'account-open bob --maker 0.6',
      'With these fees account bob could pay more than half of a trade.',
    ],
    [
      'symbol-fees BTCUSDT --tax-buyer 0.6',
      'With the fees of symbol BTCUSDT an account could pay more than half of a trade.',
    ],
    ['account-fees alice', 'account-fees needs at least one rate: maker, taker, buyer or seller.'],
    ['account-freeze alice maybe', 'frozen must be on or off.'],
    ['account-freeze alice off --cancel-orders on', 'cancel-orders goes with frozen on.'],
    ['account-freeze exchange', "Account 0 is the exchange's own, and stays open."],
    ['account-close alice', 'alice still owns 2.00000000 BTC.'],
    ['account-trade-group alice x', 'trade-group must be a whole number from -1 to 2147483647.'],
    ['account-permissions alice --closed-symbols NO', 'There is no symbol NO.'],
    ['key-create alice --kind DSA', 'kind must be HMAC, RSA, ED25519, CUSTODIAL or CREDIT_LINE.'],
    ['key-create alice --kind RSA', 'A key of kind RSA needs public-key.'],
    ['key-create alice --public-key x', 'A key of kind HMAC has no public-key.'],
    ['key-create alice --trade off --read off', 'A key must be able to read or to trade.'],
    ['key-create alice --addresses home', /^addresses must be addresses and ranges/],
    [
      `key-create alice --addresses ${Array(257).fill('::1').join(',')}`,
      /^A key has at most 256 addresses and ranges\.$/,
    ],
    ['key-create alice --kind RSA --public-key x', /is refused: its public key is not PEM/],
    ['key-revoke x', 'There is no such API key.'],
    ['asset-list BTC', 'The asset BTC is listed already.'],
    ['asset-list btc', 'asset must be capital letters and digits, at most 20.'],
    ['asset-list ETH 13', 'asset-list has no parameter more.'],
    ['symbol-list BTC USDT', 'The symbol BTCUSDT is listed already.'],
    ['symbol-list USDT BTC', 'symbol-list needs filters, or a symbol that it is like.'],
    ['symbol-list BTC BTC []', 'base and quote must be two assets.'],
    ['symbol-list USDT BTC []', 'Symbol USDTBTC cannot be listed: it has no PRICE_FILTER.'],
    ['symbol-list USDT BTC {', 'filters is not JSON: line 1, column 2: the text ends.'],
    ['symbol-list USDT BTC --like BTCUSDT --prevention FOO', /^prevention must be of NONE/],
    ['symbol-filters BTCUSDT {}', 'filters must be a JSON array of filters.'],
    ['symbol-filters BTCUSDT [1]', 'filters must be a JSON array of filters.'],
    [
      'symbol-filters BTCUSDT [{"filterType":"X"}]',
      "X is not the filterType of a symbol's filter.",
    ],
    [
      'symbol-filters BTCUSDT [{"filterType":"ICEBERG_PARTS","limit":1.5}]',
      'ICEBERG_PARTS.limit must be a whole number.',
    ],
    [
      'symbol-filters BTCUSDT [{"filterType":"ICEBERG_PARTS","limit":1,"x":1}]',
      'ICEBERG_PARTS has no field x.',
    ],
    ['symbol-filters BTCUSDT [] --remove NOTIONAL', 'BTCUSDT has no filter NOTIONAL.'],
    [
      'symbol-filters BTCUSDT [] --remove LOT_SIZE',
      'LOT_SIZE.stepSize of BTCUSDT stays what it was at listing.',
    ],
    ['symbol-list USDT BTC --like BTCUSDT --matcher 2', /^matcher must be a whole number/],
    ['symbol-features BTCUSDT', /^symbol-features needs at least one of order-types, prevention/],
    ['symbol-features BTCUSDT --amend perhaps', 'amend must be on or off.'],
    ['symbol-features BTCUSDT --order-types FOO', /^order-types must be of LIMIT, MARKET/],
    ['symbol-features BTCUSDT --order-types toString', /^order-types must be of LIMIT, MARKET/],
    ['exchange-filters {}', 'filters must be a JSON array of filters.'],
    [
      'exchange-filters [{"filterType":"MAX_NUM_ORDERS","maxNumOrders":1}]',
      'MAX_NUM_ORDERS is not the filterType of a filter of the exchange.',
    ],
    [
      'exchange-filters [{"filterType":"EXCHANGE_MAX_NUM_ORDERS","maxNumOrders":-1}]',
      'EXCHANGE_MAX_NUM_ORDERS.maxNumOrders must be a whole number.',
    ],
    ['exchange-filters [] --remove NOTIONAL', 'The exchange has no filter NOTIONAL.'],
    ['symbol-status BTCUSDT OPEN', /^status must be PRE_TRADING/],
    ['resume BTCUSDT', 'BTCUSDT is TRADING, not HALT.'],
    ['place BTCUSDT 2', 'matcher must be a whole number from 0 to 1.'],
    ['exchange-discount BTC', 'rate must be above 0 and at most 1.'],
    ['exchange-discount BTC 1.1', 'rate must be above 0 and at most 1.'],
    ['exchange-discount ETH 0.5', 'There is no asset ETH.'],
    ['maintenance perhaps', 'on must be on or off.'],
  ])('%s', async (text, sentence) => {
    const before = structuredClone({ ...registry })
    const journaled = controlPlane.journaled.length
    const free = new Map(controlPlane.free)
    await expect(ask(text)).rejects.toThrow(ActError)
    await expect(ask(text)).rejects.toThrow(sentence)
    expect({ ...registry }).toEqual(before)
    expect(controlPlane.journaled).toHaveLength(journaled)
    expect(controlPlane.free).toEqual(free)
  })

  test('a symbol without memory for its book is not listed', async () => {
    controlPlane.hasRoom = false
    await expect(ask('symbol-list USDT BTC --like BTCUSDT')).rejects.toThrow('There is no memory')
    expect(registry.symbols).toHaveLength(1)
    controlPlane.hasRoom = true
    await ask('symbol-list USDT BTC --like BTCUSDT')
  })

  test('there is room for so many accounts', async () => {
    await ask('account-open a')
    await ask('account-open b')
    await expect(ask('account-open c')).rejects.toThrow('There is room for 4 accounts')
  })

  test('a disk that refuses ends the process', async () => {
    controlPlane.isDiskFull = true
    await expect(ask('deposit alice BTC 1')).rejects.toThrow('the disk is full')
    expect(controlPlane.done).toEqual(['the disk is full'])
  })
})

test('acts are carried out one after another', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, () => ask('withdraw alice BTC 0.5')),
  )
  const done = outcomes.map(({ status }) => status)
  expect(done.filter((status) => status === 'fulfilled')).toHaveLength(4)
  expect(done.at(-1)).toBe('rejected')
})

test('of a closed executor, the act under way is finished, and no other begins', async () => {
  let told = () => {}
  controlPlane.enforce = () => new Promise((resolve) => (told = resolve))
  const journaled = controlPlane.journaled.length
  const first = ask('deposit alice BTC 1')
  const second = ask('deposit alice BTC 1')
  await expect.poll(() => controlPlane.journaled.length).toBe(journaled + 1)
  const closed = executor.close().then(() => 'closed')
  await expect(Promise.race([closed, Promise.resolve('open')])).resolves.toBe('open')
  told()
  await first
  await expect(second).rejects.toThrow('The exchange is stopping.')
  await expect(closed).resolves.toBe('closed')
  await expect(ask('deposit alice BTC 1')).rejects.toThrow(ActError)
  expect(controlPlane.journaled).toHaveLength(journaled + 1)
})
