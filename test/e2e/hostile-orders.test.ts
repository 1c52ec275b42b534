/**
 * Signed orders, spoiled before or after signing: each gets the protocol's error and changes
 * nothing. And orders whose senders leave before the answer: those stand.
 */
import net from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Prng } from '../../src/base/prng.ts'
import { eventually } from '../fixtures/eventually.ts'
import { expectRefusal, Fortress, goodOrder, SYMBOL } from './fortress.ts'
import { exchangeBytes, type RawAnswer } from './raw-http.ts'

const SEED = 31_338

let fortress: Fortress

beforeAll(async () => {
  fortress = await Fortress.build()
})
afterAll(() => fortress?.remove())

describe('signed requests, spoiled', () => {
  const spoiled: readonly (readonly [name: string, spoil: (query: string) => string])[] = [
    ['a signature too short', (query) => query.slice(0, -1)],
    ['a signature too long', (query) => `${query}0`],
    ['an empty signature', (query) => query.replace(/signature=.*/, 'signature=')],
    [
      'a signature that is not hexadecimal',
      (query) => query.replace(/signature=.*/, `signature=${'z'.repeat(64)}`),
    ],
    ['no signature', (query) => query.replace(/&signature=.*/, '')],
    ['another quantity than was signed', (query) => query.replace('0.01', '9.01')],
    ['a parameter twice', (query) => `side=SELL&${query}`],
    ['broken percent-encoding', (query) => query.replace('BUY', '%B%U%Y')],
  ]
  test.each(spoiled)('%s', async (name, spoil) => {
    const bytes = fortress.post(spoil(fortress.client.sign(goodOrder)))
    const answers = await exchangeBytes(fortress.exchange.port, bytes)
    expect(answers).toHaveLength(1)
    expectRefusal(answers[0] as RawAnswer, name)
    await fortress.expectUnharmed()
  })

  const digits = '9'.repeat(40)
  const wild: readonly (readonly [name: string, params: Record<string, string>])[] = [
    ['a price of 40 digits', { price: digits }],
    ['a quantity of 40 digits', { quantity: digits }],
    ['40 digits behind the point', { quantity: `0.${digits}` }],
    ['a quantity in exponents', { quantity: '1e3' }],
    ['a quantity below zero', { quantity: '-1' }],
    ['a quantity that is no number', { quantity: 'NaN' }],
    ['infinity', { quantity: 'Infinity' }],
    ['hexadecimal', { quantity: '0x10' }],
    ['a point alone', { quantity: '.' }],
    ['a client id of 37 letters', { newClientOrderId: 'x'.repeat(37) }],
    ['a client id with a quote', { newClientOrderId: 'a"b' }],
    ['a window of a day', { recvWindow: '86400000' }],
    ['a parameter from nowhere', { colour: 'green' }],
    ['the name of an object', { __proto__x: '1', constructor: '2' }],
  ]
  test.each(wild)('properly signed: %s', async (name, params) => {
    const query = fortress.client.sign({ ...goodOrder, ...params })
    const answers = await exchangeBytes(fortress.exchange.port, fortress.post(query))
    expect(answers).toHaveLength(1)
    expectRefusal(answers[0] as RawAnswer, name)
    await fortress.expectUnharmed()
  })

  test('thousands of random changes to a signed request', async () => {
    const prng = new Prng(SEED)
    const rounds = 3000
    const lanes = 8
    let refusals = 0
    const lane = async () => {
      for (let round = 0; round < rounds / lanes; round++) {
        const query = mutate(fortress.client.sign(goodOrder), prng)
        const answers = await exchangeBytes(fortress.exchange.port, fortress.post(query))
        for (const answer of answers) expectRefusal(answer, query)
        refusals += answers.length
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    expect(refusals).toBe(rounds)
    await fortress.expectUnharmed()
  })
})

/** One to four changes; never the request itself, nor one that means the same. */
function mutate(query: string, prng: Prng): string {
  const changed = Buffer.from(query, 'latin1')
  const signatureAt = query.indexOf('&signature=')
  let text = query
  for (let count = prng.between(1, 4); count > 0; count--) {
    // The signature may be written in either case; changes there stay outside the letters.
    const at = prng.below(prng.chance(0.8) ? signatureAt : changed.length)
    const byte = prng.pick(['%', '&', '=', '+', '\0', '"', '\u00ff', '9', 'Z', '', '&&', '%00'])
    text = text.slice(0, at) + byte + text.slice(at + prng.below(3))
  }
  return text === query ? `${query}0` : text
}

describe('a client that does not wait for its answer', () => {
  test('its order stands, and can be queried', async () => {
    const newClientOrderId = 'left-before-the-answer'
    const bytes = fortress.post(fortress.client.sign({ ...goodOrder, newClientOrderId }))
    const socket = net.connect(fortress.exchange.port, '127.0.0.1')
    socket.on('error', () => {})
    await new Promise<void>((resolve) => socket.write(bytes, () => resolve()))
    socket.destroy()
    const query = { symbol: SYMBOL, origClientOrderId: newClientOrderId }
    const order = await eventually('the order', async () => {
      const answer = await fortress.client.send('GET', '/api/v3/order', query)
      return answer.status === 200 ? answer.body : undefined
    })
    expect(order).toMatchObject({ status: 'NEW', price: '45000.00000000' })
    const canceled = await fortress.client.send('DELETE', '/api/v3/order', query)
    expect(canceled).toMatchObject({ status: 200, body: { status: 'CANCELED' } })
  })
})
