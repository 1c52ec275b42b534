/** What operators set of reference prices and price ranges: what is journaled, what is refused, and what stays. */
import { beforeEach, expect, test } from 'vitest'
import { ReferenceCalculation } from '../../../src/base/codes.ts'
import { ActionError } from '../../../src/control/action.ts'
import type { Fact } from '../../../src/control/facts.ts'
import { Registry } from '../../../src/control/registry.ts'
import { noRange, noReference } from '../../../src/market/listing.ts'
import { ActionBench } from './plain-control-plane.ts'

let bench: ActionBench
beforeEach(async () => {
  bench = await ActionBench.make()
})
const set = (words: string) => bench.ask(`symbol-reference BTCUSDT ${words}`)
const settings = () => {
  const { reference, priceRange } = bench.registry.symbols[0]!
  return { reference, priceRange }
}
const { ARITHMETIC_MEAN, EXTERNAL } = ReferenceCalculation
const mean = {
  ...noReference,
  calculation: ARITHMETIC_MEAN,
  bucketCount: 1_024,
  bucketWidthMs: 84_375,
}

test('settings are kept by every other action, and by the control journal', async () => {
  expect(settings()).toEqual({ reference: noReference, priceRange: noRange })
  await set('--reference mean --buckets 1024 --bucket-ms 84375')
  await set('--bid-up 1.05 --ask-down 0.95 --bid-down 100')
    .then(() => expect.unreachable())
    .catch(() => {})
  const { said } = await set('--bid-up 1.05 --ask-down 0.95')
  expect(said).toBe('Reference price and price range of BTCUSDT are set.')
  const known = { reference: mean, priceRange: { ...noRange, bidUp: 10_500, askDown: 9_500 } }
  expect(settings()).toEqual(known)
  for (const text of ['halt BTCUSDT', 'resume BTCUSDT', 'symbol-features BTCUSDT --oco off']) {
    await bench.ask(text)
  }
  const restarted = new Registry()
  for (const text of bench.controlPlane.texts) restarted.apply(JSON.parse(text) as Fact)
  expect([settings(), restarted.symbols[0]]).toEqual([known, expect.objectContaining(known)])
})

test('a form shows what is set, and a source forgets the settings of another', async () => {
  const present = () => bench.executor.present('symbol-reference', { symbol: 'BTCUSDT' })
  const none = { 'bid-up': 'none', 'bid-down': 'none', 'ask-up': 'none', 'ask-down': 'none' }
  expect(present()).toEqual({ reference: 'none', ...none })
  await set('--reference mean --buckets 10 --bucket-ms 1000 --bid-down 0.5')
  const range = { ...none, 'bid-down': '0.5000' }
  expect(present()).toEqual({ ...range, reference: 'mean', buckets: '10', 'bucket-ms': '1000' })
  await set('--buckets 20')
  expect(settings().reference).toMatchObject({ bucketCount: 20, bucketWidthMs: 1_000 })
  await set('--reference external --external-id 2 --bid-down none')
  expect(present()).toEqual({ ...none, reference: 'external', 'external-id': '2' })
  expect(settings().reference).toEqual({ ...noReference, calculation: EXTERNAL, externalId: 2 })
  await set('--reference none')
  expect(settings()).toEqual({ reference: noReference, priceRange: noRange })
})

test.each([
  ['--reference median', 'reference must be "mean", "external" or "none".'],
  ['--reference mean --buckets 10', 'A mean needs its buckets and their length'],
  [
    '--reference mean --buckets 1025 --bucket-ms 1',
    'buckets must be a whole number from 1 to 1024.',
  ],
  ['--reference mean --buckets 1024 --bucket-ms 84376', 'has at most 24 hours.'],
  ['--reference mean --external-id 1', 'external-id does not fit the reference "mean".'],
  ['--reference external --buckets 1', 'buckets does not fit the reference "external".'],
  ['--buckets 1', 'buckets does not fit the reference "none".'],
  ['--reference external --external-id -1', 'external-id must be a whole number'],
  ['--bid-up 1.00001', 'bid-up must be a decimal of at most 4 decimals from 0.0001 to 100'],
  ['--bid-up 0', 'bid-up must be a decimal of at most 4 decimals'],
  ['--ask-up 100.0001', 'ask-up must be a decimal of at most 4 decimals'],
  ['--ask-up 0.9 --ask-down 0.9001', 'nothing could trade'],
])('is refused: %s', async (words, sentence) => {
  await expect(set(words)).rejects.toThrow(sentence)
  await expect(set(words)).rejects.toThrow(ActionError)
  expect(settings()).toEqual({ reference: noReference, priceRange: noRange })
})

test('a venue file sets them, and applied again changes nothing', async () => {
  const venue = `
[symbols.BTCUSDT]
base = "BTC"
quote = "USDT"
reference = "mean"
buckets = 1024
bucket-ms = 84375
bid-up = 1.05
random-end = 30
`
  expect((await bench.executor.act('venue-apply', { venue })).said).toBe('2 changes made.')
  expect(settings()).toEqual({ reference: mean, priceRange: { ...noRange, bidUp: 10_500 } })
  const again = await bench.executor.act('venue-apply', { venue })
  expect(again.said).toBe('The venue is as the file says.')
})

test.each([
  ['65000.5', 6_500_050_000_000],
  ['none', -1],
])('a price from outside goes to the matcher of its symbol: %s', async (price, priceUnits) => {
  const asked: unknown[] = []
  const { view } = bench.controlPlane
  view.ask = async (_, query) => {
    asked.push(query)
    return { value: true }
  }
  const { said } = await bench.ask(`reference-price BTCUSDT ${price}`)
  expect(said).toMatch(/^The reference price of BTCUSDT is (65000\.50000000|null)\.$/)
  expect(asked).toEqual([{ ask: 'referencePrice', symbolId: 0, priceUnits }])
})

test('a price from outside may be refused', async () => {
  await expect(bench.ask('reference-price BTCUSDT 0')).rejects.toThrow('price must be a decimal')
  await expect(bench.ask('reference-price BTCUSDT -5')).rejects.toThrow('price must be a decimal')
  bench.controlPlane.view.ask = async () => ({ refused: 'It has none.' })
  await expect(bench.ask('reference-price BTCUSDT 7')).rejects.toThrow('It has none.')
})
