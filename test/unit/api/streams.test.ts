import { expect, test } from 'vitest'
import { parseStreamName, streams } from '#api/streams.ts'

test.each(streams.map(({ suffix }) => suffix))('<symbol>@%s is found', (suffix) => {
  const parsed = parseStreamName(`btcusdt@${suffix}`)
  expect(parsed?.row.suffix).toBe(suffix)
  expect(parsed?.symbol).toBe('BTCUSDT')
})

test.each([
  '',
  '@',
  'btcusdt',
  '@trade',
  'BTCUSDT@trade',
  'btcusdt@Trade',
  'btcusdt@depth@1ms',
  'btcu\u017fdt@trade',
  '0',
])('"%s" is no stream', (name) => {
  expect(parseStreamName(name)).toBeUndefined()
})
