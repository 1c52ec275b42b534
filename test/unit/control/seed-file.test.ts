/** Seed files: what is refused, and that editors' schema has every name that the reader knows. */
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { parse } from 'smol-toml'
import { beforeAll, describe, expect, test } from 'vitest'
import { RealTime } from '../../../src/base/real-time.ts'
import { chainKeys, networkKeys } from '../../../src/control/actions/chains.ts'
import {
  readSeed,
  SEED_ORDERS_MAX,
  seedAccountKeys,
  seedKeyKeys,
  seedOrderKeys,
  seedSections,
} from '../../../src/control/seed-file.ts'
import { type FileBeside, seedKlinesKeys } from '../../../src/control/seed-klines.ts'
import { Vault } from '../../../src/control/vault.ts'
import {
  accountKeys,
  exchangeKeys,
  scheduleKeys,
  sorKeys,
  symbolKeys,
} from '../../../src/control/venue-file.ts'
import { SEEDED_KLINES_MAX } from '../../../src/market/seeded-klines.ts'
import { ActionBench } from './plain-control-plane.ts'

const KEY = 'k'.repeat(64)
const schema = JSON.parse(readFileSync('examples/seed/seed.schema.json', 'utf8'))
let bench: ActionBench
beforeAll(async () => {
  bench = await ActionBench.make()
})
const read = (text: string, readFile: FileBeside = () => '') => {
  const { registry, controlPlane } = bench
  const time = new RealTime()
  const parts = { time, nowMs: time.nowMs(), vault: new Vault(Buffer.alloc(32, 1)) }
  return readSeed(text, { registry, view: controlPlane.view, ...parts }, readFile)
}

test('money, keys and orders follow what they need', async () => {
  const facts = await read(`
    assets = ["BTC", "USDT", "ETH"]
    [accounts.dora.balances]
    ETH = 1.5
    [[accounts.dora.keys]]
    api-key = "${KEY}"
    secret-key = "s"
    [[orders]]
    account = "dora"
    symbol = "BTCUSDT"
    side = "SELL"
    price = 7
    quantity = "1"`)
  expect(facts.map(({ fact }) => fact)).toEqual(['asset', 'account', 'deposit', 'key', 'seed'])
  expect(facts[2]).toMatchObject({ atoms: '150000000' })
  const [, , , key, seed] = facts
  expect(key).toMatchObject({ kind: 'HMAC', apiKey: KEY, canTrade: true })
  expect(JSON.stringify(key)).not.toContain('"s"')
  expect(seed).toMatchObject({
    orders: [
      {
        params: {
          symbol: 'BTCUSDT',
          side: 'SELL',
          type: 'LIMIT',
          timeInForce: 'GTC',
          price: '7',
          quantity: '1',
          newClientOrderId: 'seed-1',
        },
      },
    ],
  })
})

describe('refused', () => {
  const order = (more: string) => `[[orders]]\naccount = "alice"\n${more}`
  const key = (more: string) => `[accounts.alice]\n[[accounts.alice.keys]]\n${more}`
  test.each<[text: string, reason: string]>([
    ['order = 1', 'The seed file has no order. Did you mean orders?'],
    ['assets = [', 'The seed file cannot be read: line 1, column 10: unfinished array.'],
    ['accounts = 1', 'accounts must be tables.'],
    ['[accounts.alice]\nbalance = 1', 'accounts.alice has no balance'],
    ['[accounts.alice]\nbalances = 1', 'accounts.alice.balances must be a table.'],
    ['[accounts.alice.balances]\nNO = 1', 'accounts.alice.balances.NO: There is no asset NO.'],
    [
      '[accounts.alice.balances]\nBTC = -1',
      'accounts.alice.balances.BTC: amount must be positive.',
    ],
    [
      '[accounts.alice.balances]\nBTC = 0.123456789',
      'accounts.alice.balances.BTC: amount must be a decimal of at most 8 places.',
    ],
    [key('api-key = 1'), 'accounts.alice.keys 1: api-key must be text.'],
    [key(`api-key = "${KEY}"`), 'accounts.alice.keys 1: secret-key must be 1 to 256 printable'],
    [key('apikey = "x"'), 'accounts.alice.keys 1 has no apikey. Did you mean api-key?'],
    [
      key(`api-key = "${KEY}"\nsecret-key = "a"\n[[accounts.alice.keys]]\napi-key = "${KEY}"`),
      'accounts.alice.keys 2: another key has its api-key.',
    ],
    ['orders = 1', 'orders must be an array of tables.'],
    [order('symbol = "NO"'), 'orders 1: there is no symbol NO.'],
    ['[[orders]]\naccount = "nobody"\nsymbol = "BTCUSDT"', 'orders 1: there is no account nobody.'],
    [order('symbol = "BTCUSDT"\nprice = true'), 'orders 1: price must be text or a number.'],
    [order('symbol = "BTCUSDT"\nprize = 1'), 'orders 1 has no prize. Did you mean price?'],
    [
      `${order('symbol = "BTCUSDT"\nnewClientOrderId = "seed-2"')}\n${order('symbol = "BTCUSDT"')}`,
      'orders 2: another order of the account has its newClientOrderId.',
    ],
    [
      `orders = [${'{},'.repeat(SEED_ORDERS_MAX + 1)}]`,
      `A seed has at most ${SEED_ORDERS_MAX} orders.`,
    ],
  ])('%s', async (text, reason) => {
    await expect(read(text)).rejects.toThrow(reason)
  })
})

const MINUTE_MS = 60_000
const OPEN_MS = 1_704_067_200_000
/** The minute of that number, with some fields replaced by place. */
const row = (minute: number, other: Readonly<Record<number, unknown>> = {}) => {
  const openMs = OPEN_MS + minute * MINUTE_MS
  const prices = ['10', '12', '9', '11']
  const usual = [openMs, ...prices, '3', openMs + MINUTE_MS - 1, '31.5', 4, '1', '10.5', '0']
  return usual.map((value, at) => other[at] ?? value)
}
const klines = (rows: unknown, more = '') =>
  `[[klines]]\nsymbol = "BTCUSDT"\nrows = ${JSON.stringify(rows)}\n${more}`

describe('klines', () => {
  test('are facts in units of the symbol, without quiet minutes', async () => {
    const quiet = row(1, { 5: '0', 7: '0', 8: 0, 9: '0', 10: '0' })
    const [fact, next] = await read(`${klines([row(0), quiet])}${klines([row(2)])}`)
    const spec = bench.registry.symbols.find(({ name }) => name === 'BTCUSDT')!
    const ticks = [10, 12, 9, 11].map((price) => (price * 1e8) / spec.tickUnits)
    const lots = (quantity: number) => String((quantity * 1e8) / spec.lotUnits)
    const volumes = [lots(3), '3150000000', lots(1), '1050000000']
    const minutes = [[OPEN_MS, ...ticks, 4, ...volumes]]
    expect(fact).toEqual({ fact: 'klines', symbol: spec.id, minutes })
    expect(next).toMatchObject({ minutes: [{ 0: OPEN_MS + 2 * MINUTE_MS }] })
  })

  test('of a file are the same', async () => {
    const names: string[] = []
    const facts = await read('[[klines]]\nsymbol = "BTCUSDT"\nfile = "a/b.json"', (name) => {
      names.push(name)
      return JSON.stringify([row(0)])
    })
    expect(names).toEqual(['a/b.json'])
    expect(facts).toEqual(await read(klines([row(0)])))
  })

  const later = Math.floor((Date.now() - OPEN_MS) / MINUTE_MS)
  const many = Array.from({ length: SEEDED_KLINES_MAX + 1 }, () => 0)
  const file = '[[klines]]\nsymbol = "BTCUSDT"\nfile = "k.json"'
  test.each([
    ['klines = 1', 'klines must be an array of tables.'],
    ['[[klines]]\nsymbol = "NO"', 'klines 1: there is no symbol NO.'],
    [klines([], 'interval = "1h"'), 'klines 1: interval must be 1m'],
    [klines([], 'roes = 1'), 'klines 1 has no roes. Did you mean rows?'],
    [klines([], 'file = "x"'), 'klines 1 must have either rows or a file.'],
    [klines(1), 'klines 1: klines must be an array of rows.'],
    [file, 'klines 1: k.json is not JSON.'],
    [klines(many), `A seed has at most ${SEEDED_KLINES_MAX} klines.`],
    [klines([[1]]), 'klines 1, row 1 must have the fields of a kline.'],
    [klines([row(1), row(0)]), 'klines 1, row 2 must be later than the row of the symbol before'],
    [klines([row(1), row(1)]), 'klines 1, row 2 must be later than'],
    [klines([row(1)]) + klines([row(1)]), 'klines 2, row 1 must be later than'],
    [klines([row(later)]), 'klines 1, row 1 must be over before the start.'],
    [klines([row(0, { 0: OPEN_MS + 1 })]), 'must be a whole minute'],
    [klines([row(0, { 6: OPEN_MS + MINUTE_MS })]), 'must be a whole minute'],
    [klines([row(0, { 0: '1' })]), 'its open time is not valid'],
    [klines([row(0, { 1: '13' })]), 'open and close must be between low and high.'],
    [klines([row(0, { 4: '8' })]), 'open and close must be between low and high.'],
    [klines([row(0, { 3: '0' })]), 'its low is not valid for the symbol.'],
    [klines([row(0, { 2: '12.00000001' })]), 'its high is not valid'],
    [klines([row(0, { 5: '-3' })]), 'its volume is not valid'],
    [klines([row(0, { 5: '3.00000001' })]), 'its volume is not valid'],
    [klines([row(0, { 8: 1.5 })]), 'its number of trades is not valid'],
    [klines([row(0, { 8: 0 })]), 'trades and volume must both be 0, or neither.'],
    [klines([row(0, { 9: '4' })]), 'takers cannot buy more than was traded.'],
  ])('are refused: %#', async (text, reason) => {
    await expect(read(text)).rejects.toThrow(reason)
  })
})

describe('the schema for editors', () => {
  const { definitions, properties } = schema
  test('has every name, and no other', () => {
    const namesOf = (of: { properties: object }) => Object.keys(of.properties).sort()
    expect(Object.keys(properties).sort()).toEqual([...seedSections].sort())
    expect(namesOf(definitions.symbol)).toEqual([...symbolKeys].sort())
    expect(namesOf(definitions.account)).toEqual([...accountKeys, ...seedAccountKeys].sort())
    expect(namesOf(definitions.chain)).toEqual([...chainKeys].sort())
    expect(namesOf(definitions.network)).toEqual([...networkKeys].sort())
    expect(namesOf(definitions.sor)).toEqual([...sorKeys].sort())
    expect(namesOf(properties.exchange)).toEqual([...exchangeKeys].sort())
    expect(namesOf(definitions.schedule)).toEqual([...scheduleKeys].sort())
    expect(namesOf(definitions.key)).toEqual([...seedKeyKeys].sort())
    expect(namesOf(definitions.order)).toEqual([...seedOrderKeys].sort())
    expect(namesOf(definitions.klines)).toEqual([...seedKlinesKeys].sort())
  })

  test('takes the examples, and finds a slip', () => {
    const validate = new Ajv({ allowUnionTypes: true }).compile(schema)
    for (const file of ['examples/seed/two-traders.toml', 'examples/venue.toml']) {
      const tables = JSON.parse(JSON.stringify(parse(readFileSync(file, 'utf8'))))
      expect([validate(tables), validate.errors]).toEqual([true, null])
    }
    expect(validate({ orders: [{ account: 'a', symbol: 'b', side: 'SELLS' }] })).toBe(false)
  })
})
