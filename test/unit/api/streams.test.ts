import { expect, test } from 'vitest'
import { aliasesOf, parseStreamName, streams } from '../../../src/api/streams.ts'

test.each(streams.map(({ name }) => name))('%s is found', (name) => {
  const parsed = parseStreamName(name.replace('<symbol>', 'btcusdt'))
  expect(parsed?.row.name).toBe(name)
  expect(parsed?.symbol).toBe(name.startsWith('!') ? undefined : 'BTCUSDT')
})

test('every stream that is documented has a row', () => {
  const intervals = '1s 1m 3m 5m 15m 30m 1h 2h 4h 6h 8h 12h 1d 3d 1w 1M'.split(' ')
  const ofSymbols = [
    'aggTrade',
    'trade',
    'blockTrade',
    ...intervals.map((interval) => `kline_${interval}`),
    ...intervals.map((interval) => `kline_${interval}@+08:00`),
    'miniTicker',
    'ticker',
    ...['1h', '4h', '1d'].map((window) => `ticker_${window}`),
    'bookTicker',
    'avgPrice',
    'referencePrice',
    ...['5', '10', '20', ''].flatMap((levels) => [`depth${levels}`, `depth${levels}@100ms`]),
    'auction',
    'status',
  ]
  const ofAll = ['miniTicker', 'ticker', 'ticker_1h', 'ticker_4h', 'ticker_1d', 'status']
  const documented = [
    ...ofSymbols.map((name) => `<symbol>@${name}`),
    ...ofAll.map((name) => `!${name}@arr`),
  ]
  expect(streams.map(({ name }) => name).sort()).toEqual(documented.sort())
})

test('a default speed that is written out names the bare stream', () => {
  const written = streams.flatMap(aliasesOf)
  const arrays = ['miniTicker', 'ticker', 'ticker_1h', 'ticker_4h', 'ticker_1d']
  expect([...written].sort()).toEqual(
    [
      ...['depth', 'depth5', 'depth10', 'depth20'].map((name) => `<symbol>@${name}@1000ms`),
      ...arrays.flatMap((name) => [`!${name}@arr@1000ms`, `!${name}@arr@3000ms`]),
    ].sort(),
  )
  for (const name of written) {
    const bare = name.slice(0, name.lastIndexOf('@'))
    expect(parseStreamName(name.replace('<symbol>', 'btcusdt'))?.row.name).toBe(bare)
  }
})

test.each([
  '',
  '@',
  'btcusdt@depth@3000ms',
  'btcusdt@depth@100ms@1000ms',
  'btcusdt@miniTicker@1000ms',
  'btcusdt@trade@1000ms',
  '!miniTicker@arr@2000ms',
  'btcusdt',
  '@trade',
  'BTCUSDT@trade',
  'btcusdt@Trade',
  'btcusdt@depth@1ms',
  'btcusdt@depth7',
  'btcusdt@kline_7m',
  'btcusdt@kline_1m@+09:00',
  'btcusdt@!ticker@arr',
  'btcusdt@ticker@arr',
  '!bookTicker',
  '!ticker',
  '!ticker_2h@arr',
  'btcu\u017fdt@trade',
  '0',
])('"%s" is no stream', (name) => {
  expect(parseStreamName(name)).toBeUndefined()
})
