/** Seed files: what is refused, and that editors' schema has every name that the reader knows. */
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { parse } from 'smol-toml'
import { beforeAll, describe, expect, test } from 'vitest'
import { RealTime } from '../../../src/base/real-time.ts'
import {
  readSeed,
  SEED_ORDERS_MAX,
  seedAccountKeys,
  seedKeyKeys,
  seedOrderKeys,
  seedSections,
} from '../../../src/control/seed-file.ts'
import { Vault } from '../../../src/control/vault.ts'
import {
  accountKeys,
  exchangeKeys,
  scheduleKeys,
  symbolKeys,
} from '../../../src/control/venue-file.ts'
import { ActionBench } from './plain-control-plane.ts'

const KEY = 'k'.repeat(64)
const schema = JSON.parse(readFileSync('examples/seed/seed.schema.json', 'utf8'))
let bench: ActionBench
beforeAll(async () => {
  bench = await ActionBench.make()
})
const read = (text: string) => {
  const { registry, controlPlane } = bench
  const time = new RealTime()
  const parts = { time, nowMs: time.nowMs(), vault: new Vault(Buffer.alloc(32, 1)) }
  return readSeed(text, { registry, view: controlPlane.view, ...parts })
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
          ...{ symbol: 'BTCUSDT', side: 'SELL', type: 'LIMIT', timeInForce: 'GTC' },
          ...{ price: '7', quantity: '1', newClientOrderId: 'seed-1' },
        },
      },
    ],
  })
})

describe('refused', () => {
  const order = (more: string) => `[[orders]]\naccount = "alice"\n${more}`
  const key = (more: string) => `[accounts.alice]\n[[accounts.alice.keys]]\n${more}`
  test.each<[text: string, reason: string]>([
    ['order = 1', 'The seed file has no order; did you mean orders?'],
    ['assets = [', 'The seed file cannot be read: line 1, column 10: unfinished array.'],
    ['accounts = 1', 'accounts must be tables.'],
    ['[accounts.alice]\nbalance = 1', 'accounts.alice has no balance'],
    ['[accounts.alice]\nbalances = 1', 'accounts.alice.balances must be a table.'],
    ['[accounts.alice.balances]\nNO = 1', 'accounts.alice.balances.NO: There is no asset NO.'],
    [
      '[accounts.alice.balances]\nBTC = -1',
      'accounts.alice.balances.BTC: amount must be positive.',
    ],
    [key('api-key = 1'), 'accounts.alice.keys 1: api-key must be text.'],
    [key(`api-key = "${KEY}"`), 'accounts.alice.keys 1: secret-key must be 1 to 256 printable'],
    [key('apikey = "x"'), 'accounts.alice.keys 1 has no apikey; did you mean api-key?'],
    [
      key(`api-key = "${KEY}"\nsecret-key = "a"\n[[accounts.alice.keys]]\napi-key = "${KEY}"`),
      'accounts.alice.keys 2: another key has its api-key.',
    ],
    ['orders = 1', 'orders must be an array of tables.'],
    [order('symbol = "NO"'), 'orders 1: there is no symbol NO.'],
    ['[[orders]]\naccount = "nobody"\nsymbol = "BTCUSDT"', 'orders 1: there is no account nobody.'],
    [order('symbol = "BTCUSDT"\nprice = true'), 'orders 1: price must be text or a number.'],
    [order('symbol = "BTCUSDT"\nprize = 1'), 'orders 1 has no prize; did you mean price?'],
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

describe('the schema for editors', () => {
  const { definitions, properties } = schema
  test('has every name, and no other', () => {
    const namesOf = (of: { properties: object }) => Object.keys(of.properties).sort()
    expect(Object.keys(properties).sort()).toEqual([...seedSections].sort())
    expect(namesOf(definitions.symbol)).toEqual([...symbolKeys].sort())
    expect(namesOf(definitions.account)).toEqual([...accountKeys, ...seedAccountKeys].sort())
    expect(namesOf(properties.exchange)).toEqual([...exchangeKeys].sort())
    expect(namesOf(definitions.schedule)).toEqual([...scheduleKeys].sort())
    expect(namesOf(definitions.key)).toEqual([...seedKeyKeys].sort())
    expect(namesOf(definitions.order)).toEqual([...seedOrderKeys].sort())
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
