/** How lists are to be written, before and after it was sent to another thread. */
import { expect, test } from 'vitest'
import { btcusdt, ethbtc } from '../../../bench/workloads/fake-context.ts'
import { SymbolId } from '../../../src/base/units.ts'
import { specifySymbol } from '../../../src/market/listing.ts'
import { FormTexts } from '../../../src/queries/list-form-text.ts'

const sent = <T>(message: T): T => structuredClone(message)
/** For the fewest rules there may be, with their steps switched off. */
const zero = '0.00000000'
const unruled = specifySymbol({
  id: SymbolId(2),
  name: 'UNRULED',
  base: ethbtc.base,
  quote: btcusdt.quote,
  status: ethbtc.status,
  preventionModes: ethbtc.preventionModes,
  preventionDefault: ethbtc.preventionDefault,
  filters: [
    { filterType: 'LOT_SIZE', minQty: zero, maxQty: '9000.00000000', stepSize: zero },
    { filterType: 'PRICE_FILTER', minPrice: zero, maxPrice: '1000.00000000', tickSize: zero },
  ],
})

test('what is read is what was written, of every symbol', () => {
  const [here, there] = [new FormTexts(), new FormTexts()]
  const symbols = [btcusdt, ethbtc, unruled]
  const assets = [btcusdt.quote, btcusdt.base]
  for (const spec of [...symbols, ...symbols]) {
    for (const form of [
      { encoding: 'JSON', spec, microseconds: true },
      { encoding: 'JSON', spec, microseconds: false, assets },
    ] as const) {
      expect(there.read(sent(here.write(form)))).toStrictEqual(form)
    }
  }
})

test('forms are kept up to a bound', () => {
  const [here, there] = [new FormTexts(), new FormTexts()]
  // Each is made once: V8 may write an equal object otherwise.
  const specs = Array.from({ length: 1_026 }, (_, n) => ({ ...unruled, priceTicksMax: n }))
  const read = (n: number) =>
    there.read(here.write({ encoding: 'JSON', spec: specs[n]!, microseconds: false })).spec
  const first = read(1)
  for (let others = 2; others <= 1_024; others++) read(others)
  expect(read(1)).toBe(first)
  read(1_025)
  expect(read(1)).not.toBe(first)
})

test('rules that changed are not those from before', () => {
  const [here, there] = [new FormTexts(), new FormTexts()]
  const read = (spec: typeof btcusdt) =>
    there.read(sent(here.write({ encoding: 'JSON', spec, microseconds: false }))).spec
  const changed = { ...btcusdt, priceTicksMax: btcusdt.priceTicksMax - 1 }
  expect(read(btcusdt)).toStrictEqual(btcusdt)
  expect(read(changed)).toStrictEqual(changed)
  expect(read(btcusdt)).toStrictEqual(btcusdt)
})
