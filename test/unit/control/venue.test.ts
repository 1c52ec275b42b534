/** Venue files: applied as a whole or not at all, and once; and the file that init writes. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { callAction } from '../../../src/cli/cli.ts'
import type { Fact } from '../../../src/control/facts.ts'
import { VENUE_CHARS_MAX } from '../../../src/control/venue-file.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'
import { ActionBench } from './plain-control-plane.ts'

const VENUE = `
assets = ["BTC", "USDT", "ETH"]

[symbols.ETHUSDT]
base = "ETH"
quote = "USDT"
template = "spot"
tick = "0.01"
step = 0.0001
matcher = 1
filters = [{ filterType = "MAX_NUM_ORDERS", maxNumOrders = 7 }]

[symbols.ETHBTC]
base = "ETH"
quote = "BTC"
template = "plain"
tick = "0.00001"
step = "0.001"
min-notional = "0.0001"
status = "HALT"

[accounts.alice]
taker = 0.002

[accounts.bob]
maker = "0.0005"
trade-group = 3
orders-per-day = 7
bans = false

[exchange]
discount-asset = "BTC"
discount-rate = "0.75"
`

const folder = temporaryFolder()

let bench: ActionBench
beforeEach(async () => {
  bench = await ActionBench.make()
})
const apply = (venue: string) => bench.executor.act('venue-apply', { venue })

const NETWORKS = `
[chains.ETH]
form = "ethereum"
block-seconds = 0.4

[networks.USDT.ETH]
fee = 4
withdraw-min = "10"
confirmations = 6
`

test('chains and networks are listed once; a chain stays as it was listed', async () => {
  const first = await apply(NETWORKS)
  expect(first.rows.map(({ place }) => place)).toEqual(['chains.ETH', 'networks.USDT.ETH'])
  expect((await apply(NETWORKS)).said).toBe('The venue is as the file says.')
  expect((await apply(NETWORKS.replace('fee = 4', 'fee = 5'))).said).toBe('1 change made.')
  expect(bench.registry.networks).toMatchObject([{ withdrawFee: 500_000_000, minConfirm: 6 }])
  for (const other of ['block-seconds = 0.5', 'block-seconds = 0.4\nmemo = true']) {
    await expect(apply(NETWORKS.replace('block-seconds = 0.4', other))).rejects.toThrow(
      'chains.ETH: it stays as it was listed.',
    )
  }
  await expect(apply('[networks.USDT.SOL]')).rejects.toThrow(
    'networks.USDT.SOL: There is no chain SOL.',
  )
})

test('a dry run shows every change and makes none; then they are made, and once', async () => {
  const before = bench.controlPlane.facts.length
  const dry = await bench.executor.preview('venue-apply', { venue: VENUE })
  expect(dry?.does).toBe('Make 7 changes to the venue')
  expect(bench.controlPlane.facts).toHaveLength(before)
  expect(bench.registry.symbols).toHaveLength(1)
  const made = await apply(VENUE)
  expect(made.said).toBe('7 changes made.')
  expect(made.rows).toEqual(dry?.rows)
  expect(made.rows.map(({ place }) => place)).toEqual([
    'assets: ETH',
    'symbols.ETHUSDT',
    'symbols.ETHBTC',
    'accounts.alice',
    'accounts.bob',
    'accounts.bob',
    'exchange',
  ])
  const [, ethusdt, ethbtc] = bench.registry.symbols
  expect(ethusdt).toMatchObject({ name: 'ETHUSDT', status: 1 })
  expect(ethusdt!.filters.map(({ filterType }) => filterType)).toContain('PERCENT_PRICE_BY_SIDE')
  expect(ethusdt!.filters).toContainEqual({ filterType: 'MAX_NUM_ORDERS', maxNumOrders: 7 })
  expect(bench.registry.placements.get(1)).toMatchObject({ matcher: 1 })
  expect(ethbtc).toMatchObject({ name: 'ETHBTC', status: 4 })
  expect(ethbtc!.filters).toHaveLength(3)
  expect(bench.registry.accounts[1]).toMatchObject({ takerRate: 200_000, makerRate: 100_000 })
  expect(bench.registry.accounts[2]).toMatchObject({
    name: 'bob',
    tradeGroupId: 3,
    limits: { ordersPerDay: 7, bansNone: true },
  })
  expect(bench.registry.exchange).toMatchObject({ discountAssetId: 0, discountRate: 75_000_000 })
  expect((await apply(VENUE)).said).toBe('The venue is as the file says.')
})

test('pegged orders are taken unless the file says otherwise, and by what it says last', async () => {
  await apply(VENUE.replace('matcher = 1', 'peg = "off"'))
  const [, ethusdt, ethbtc] = bench.registry.symbols
  expect([ethusdt, ethbtc].map((it) => it?.features.pegInstructions)).toEqual([false, true])
  await apply(VENUE.replace('matcher = 1', 'peg = true'))
  expect(bench.registry.symbols[1]?.features.pegInstructions).toBe(true)
  const before = bench.controlPlane.facts.length
  await apply(VENUE.replace('matcher = 1', 'peg = true'))
  expect(bench.controlPlane.facts).toHaveLength(before)
})

test('a changed line is one change, and what the file does not name stays', async () => {
  await apply(VENUE)
  const { rows } = await apply(VENUE.replace('maxNumOrders = 7', 'maxNumOrders = 8'))
  expect(rows).toEqual([{ place: 'symbols.ETHUSDT', change: 'Filters of ETHUSDT are set.' }])
  expect((await apply('')).said).toBe('The venue is as the file says.')
  expect(bench.registry.symbols).toHaveLength(3)
})

test('sub-accounts of a file stand behind their master, whom they keep', async () => {
  const file =
    '[accounts.alice]\n[accounts."alice.bot"]\nmaster = "alice"\nemail = "bot@example.com"'
  await apply(file)
  expect(bench.registry.accounts[2]).toMatchObject({ master: 1, email: 'bot@example.com' })
  expect((await apply(file)).said).toBe('The venue is as the file says.')
  expect((await apply(file.replace('bot@', 'bots@'))).rows).toEqual([
    { place: 'accounts.alice.bot', change: 'The address of alice.bot is bots@example.com.' },
  ])
  const other = apply(`${file}\n[accounts.exchange]\nmaster = "alice"`)
  await expect(other).rejects.toThrow('accounts.exchange: it is open, and no sub-account of alice.')
})

describe('a template', () => {
  const filtersOf = async (quote: string, tick: string, step: string, price: string) => {
    const venue = `assets = ["AAA", "${quote}"]
[symbols.AAA${quote}]
base = "AAA"
quote = "${quote}"
template = "spot"
tick = "${tick}"
step = "${step}"
price = "${price}"`
    const { rows } = await apply(venue)
    const { filters } = bench.registry.symbols.at(-1)!
    const of = (type: string) => filters.find(({ filterType }) => filterType === type)!
    const notional = of('NOTIONAL')
    return {
      maxPrice: of('PRICE_FILTER').maxPrice,
      maxQty: [of('LOT_SIZE').maxQty, of('MARKET_LOT_SIZE').maxQty],
      notional: [notional.minNotional, notional.maxNotional].map(Number),
      said: rows.at(-1)!.change,
    }
  }

  test.each<[symbol: string, tick: string, step: string, price: string, made: object]>([
    [
      ...(['USDC', '0.01', '0.00001', '60000'] as const),
      { maxPrice: '20000000.00000000', maxQty: Array(2).fill('9000.00000000'), notional: [5, 9e6] },
    ],
    // A coin of millionths: 64 bits carry less than 9,000,000 dollars of it.
    [
      ...(['USDC', '0.00000001', '1', '0.00001'] as const),
      { maxPrice: '20.00000000', maxQty: Array(2).fill('92233720368.00000000') },
    ],
    [
      ...(['IDR', '1', '0.00001', '1600000000'] as const),
      {
        maxPrice: '2000000000.00000000',
        maxQty: Array(2).fill('9000.00000000'),
        notional: [5e4, 9e10],
      },
    ],
    [
      ...(['BTC', '0.00001', '0.0001', '0.03'] as const),
      {
        maxPrice: '20000.00000000',
        maxQty: Array(2).fill('90000.00000000'),
        notional: [1e-4, 180],
      },
    ],
  ])('follows %s, tick %s, step %s and price %s', async (quote, tick, step, price, made) => {
    if (quote === 'BTC') await bench.executor.act('asset-list', { asset: 'IDR' })
    const found = await filtersOf(quote, tick, step, price)
    expect(found).toMatchObject({ ...made, said: `Symbol AAA${quote} is listed.` })
  })

  test('a listing that lets no order near its price pass warns, and filters may be corrected', async () => {
    const symbol = (more: string) => `assets = ["AAA"]
[symbols.AAAUSDT]
base = "AAA"
quote = "USDT"
template = "spot"
tick = "0.00000001"
step = "1"
${more}`
    const listed = await apply(symbol('price = "0.00001"\nmax-qty = "9000"'))
    expect(listed.rows.at(-1)!.change).toBe(
      'Symbol AAAUSDT is listed. Warning: no order can pass: at its price 0.00001000 USDT ' +
        'no quantity from minQty to maxQty has a notional from the least to the most.',
    )
    const dear = await apply(symbol('price = "20.1"\nmax-qty = "9000"'))
    expect(dear.rows).toEqual([])
    const change = { symbol: 'AAAUSDT', price: '20.1', filters: undefined as unknown }
    const priceFilter = {
      filterType: 'PRICE_FILTER',
      minPrice: '0.00000001',
      tickSize: '0.00000001',
    }
    const set = (maxPrice: string) =>
      bench.executor.act('symbol-filters', {
        ...change,
        filters: JSON.stringify([{ ...priceFilter, maxPrice }]),
      })
    expect((await set('20')).said).toBe(
      'Filters of AAAUSDT are set. Warning: no order can pass: ' +
        'its price 20.10000000 USDT is not between minPrice and maxPrice.',
    )
    expect((await set('21.47483647')).said).toBe('Filters of AAAUSDT are set.')
    await expect(set('21.47483648')).rejects.toThrow('maxPrice is over 2147483647 ticks')
  })
})

describe('refused as a whole', () => {
  const symbol = (more: string) => `[symbols.BTCUSDT]\nbase = "BTC"\nquote = "USDT"\n${more}`
  test.each<[venue: string, sentence: string]>([
    ['assets = [', 'The venue file cannot be read: line 1, column 10: unfinished array.'],
    ['assets = "BTC"', 'assets must be an array of names.'],
    ['asset = ["BTC"]', 'The venue file has no asset. Did you mean assets?'],
    [
      'colour = 1',
      'The venue file has no colour. It has assets, chains, networks, symbols, schedules, accounts, sors or exchange.',
    ],
    ['assets = ["btc"]', 'assets: btc: asset must be capital letters and digits, at most 20.'],
    ['symbols = 1', 'symbols must be tables.'],
    ['[symbols]\nBTCUSDT = 1', 'symbols.BTCUSDT must be a table.'],
    ['[symbols.X]\nbase = "BTC"', 'symbols.X: base and quote must make X.'],
    [symbol('tik = "1"'), 'symbols.BTCUSDT has no tik. Did you mean tick?'],
    [symbol('tick = "1"'), 'symbols.BTCUSDT: tick needs a template.'],
    [symbol('template = "x"'), 'symbols.BTCUSDT: template must be "spot" or "plain".'],
    [symbol('template = "spot"'), 'symbols.BTCUSDT: the template spot needs tick.'],
    [
      symbol('template = "plain"\ntick = "1"\nstep = "1"'),
      'symbols.BTCUSDT: PRICE_FILTER.tickSize of BTCUSDT stays what it was at listing.',
    ],
    [symbol('status = "OPEN"'), 'symbols.BTCUSDT: status must be "PRE_TRADING"'],
    ['[accounts."a b"]', 'accounts.a b: account must be letters, digits, _ . and -, at most 32.'],
    ['[accounts.bob]\nmaker = "0.6"', 'accounts.bob: With these fees account bob could pay'],
    ['[accounts.bob]\nmaker = -0.001', 'accounts.bob: maker must be a share of at most 8 decimals'],
    ['[accounts.bob]\nmaker = true', 'accounts.bob: maker must be text.'],
    ['exchange = 1', 'exchange.exchange must be a table.'],
    ['[exchange]\ndiscount-asset = "NO"', 'exchange: There is no asset NO.'],
    [
      'assets = ["ETH"]\n[accounts.carol]\n[accounts.dora]\n[accounts.eve]',
      'accounts.eve: There is room for 4 accounts (--accounts).',
    ],
    ['#'.repeat(VENUE_CHARS_MAX + 1), `A venue file has at most ${VENUE_CHARS_MAX} characters.`],
  ])('%s', async (venue, sentence) => {
    const before = structuredClone([bench.registry.assets, bench.registry.accounts])
    const journaled = bench.controlPlane.journaled.length
    await expect(apply(venue)).rejects.toThrow(sentence)
    expect([bench.registry.assets, bench.registry.accounts]).toEqual(before)
    expect(bench.controlPlane.journaled).toHaveLength(journaled)
  })

  test('for lack of memory for one of its books', async () => {
    bench.controlPlane.hasRoom = false
    await expect(apply(VENUE)).rejects.toThrow('There is no memory for another book.')
    expect(bench.registry.assets).toHaveLength(2)
    expect(bench.registry.accounts).toHaveLength(2)
  })

  test('for what a symbol charges beside the rates of an account', async () => {
    await bench.ask('symbol-fees BTCUSDT --tax-buyer 0.4')
    const journaled = bench.controlPlane.journaled.length
    const venue = 'assets = ["BTC", "USDT", "ETH"]\n[accounts.bob]\nbuyer = "0.2"\n'
    await expect(apply(venue)).rejects.toThrow('could pay more than half of a trade.')
    expect(bench.registry.assets).toHaveLength(2)
    expect(bench.controlPlane.journaled).toHaveLength(journaled)
  })

  test('a delisted symbol stays so', async () => {
    await bench.ask('symbol-delist BTCUSDT')
    await expect(apply(symbol('status = "TRADING"'))).rejects.toThrow('BTCUSDT: it is delisted.')
  })
})

describe('init', () => {
  const call = (words: string[], answers?: string[]) => {
    const terminal = {
      confirm: async () => true,
      ask: async () => answers?.shift() ?? '',
      showProgress: () => {},
    }
    const line = { words, data: folder, adminPort: 1 }
    return callAction(line, answers === undefined ? undefined : terminal)
  }
  const applied = async (file: string): Promise<readonly Fact[]> => {
    const other = await ActionBench.make()
    const before = other.controlPlane.facts.length
    await other.executor.act('venue-apply', { venue: readFileSync(file, 'utf8') })
    return other.controlPlane.facts.slice(before)
  }

  test('writes a venue that can be applied, from flags alone', async () => {
    const file = path.join(folder, 'flags.toml')
    const words = ['init', file, '--symbols', 'ETH/USDT,币安/BTC', '--accounts', 'carol']
    const { code, text } = await call([...words, '--tick', '0.1'])
    expect([code, text]).toEqual([0, expect.stringContaining(`venue apply ${file} --dry-run`)])
    const facts = await applied(file)
    expect(facts.map((fact) => ('name' in fact ? fact.name : ''))).toEqual([
      ...['ETH', '币安', 'ETHUSDT', '币安BTC', 'carol'],
    ])
  })

  test('asks a person for what no flag says', async () => {
    const file = path.join(folder, 'asked.toml')
    const answers = ['ETH/USDT, ETH/BTC', '', '0.001', 'dora', '', '0.002']
    expect(
      (await call(['init', file, '--tick', '0.5'], [...answers.slice(0, 1), ...answers.slice(2)]))
        .code,
    ).toBe(0)
    expect(readFileSync(file, 'utf8')).toContain('tick = "0.5"')
    expect(await applied(file)).toHaveLength(4)
  })

  test.each([
    [['--symbols', 'BTCUSDT'], 'symbols must be pairs of assets in capital letters'],
    [['--tick', 'x'], 'tick must be a decimal such as 0.01; it is x.'],
    [['--accounts', 'a b,c/d'], 'accounts must be names of letters'],
    [['--colour', 'x'], '--colour is not a known flag'],
  ])('%j is refused', async (flags, sentence) => {
    const { code, text } = await call(['init', path.join(folder, 'none.toml'), ...flags])
    expect([code, text]).toEqual([1, expect.stringContaining(sentence)])
  })

  test('overwrites nothing', async () => {
    const file = path.join(folder, 'there.toml')
    writeFileSync(file, 'mine')
    expect((await call(['init', file])).text).toBe(
      `The file ${file} cannot be written: it exists already.\n`,
    )
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })
})
