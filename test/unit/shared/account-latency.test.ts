/** Histograms of accounts, by two gateways and one reader. */
import { expect, test } from 'vitest'
import { AccountId } from '../../../src/base/units.ts'
import {
  accountLatencyBytes,
  LATENCY_ACCOUNTS,
  LatencyReader,
  LatencyWriter,
  latencyNames,
} from '../../../src/shared/account-latency.ts'

const STEP_NS = 256
const alice = AccountId(0)
/** Each stage takes as many steps, the whole as many as all together. */
const times = (steps: number) => {
  const stages = latencyNames.map((name) => [name, steps * STEP_NS * (name === 'order' ? 6 : 1)])
  return Object.fromEntries(stages) as Parameters<LatencyWriter['observe']>[1]
}

function block(gateways = 1) {
  const memory = new SharedArrayBuffer(accountLatencyBytes(gateways))
  const writers = Array.from({ length: gateways }, (_, at) => new LatencyWriter(memory, at))
  return { writers, reader: new LatencyReader(memory) }
}

const counts = (reader: LatencyReader, account: number) =>
  reader.read(AccountId(account)).map(({ count }) => count)
const all = (count: number) => latencyNames.map(() => count)

test('what gateways timed adds up, and what was never timed is empty', () => {
  const { writers, reader } = block(2)
  for (const [at, steps] of [1, 1, 1, 2 ** 30].entries()) {
    writers[at % 2]!.observe(alice, times(steps))
  }
  expect(counts(reader, 0)).toEqual(all(4))
  expect(counts(reader, 1)).toEqual(all(0))
  expect(reader.accounts()).toEqual([alice])
  const [parse] = reader.read(alice)
  const mean = Math.round(((3 + 2 ** 30) * STEP_NS) / 4)
  const largest = 2 ** 26 * STEP_NS
  expect(parse).toEqual({
    name: 'parse',
    count: 4,
    mean,
    p50: STEP_NS,
    p90: largest,
    p99: largest,
    p999: largest,
    buckets: [
      [STEP_NS, 3],
      [null, 1],
    ],
  })
  expect(reader.read(AccountId(1)).at(-1)).toMatchObject({ name: 'order', p99: 0, buckets: [] })
})

test('the account that was timed longest ago goes for one more than there is room for', () => {
  const { writers, reader } = block()
  const [writer] = writers as [LatencyWriter]
  for (let id = 0; id < LATENCY_ACCOUNTS; id++) writer.observe(AccountId(id), times(1))
  expect(reader.accounts()).toHaveLength(LATENCY_ACCOUNTS)
  expect(counts(reader, 0)).toEqual(all(1))
  writer.observe(alice, times(1))
  const next = LATENCY_ACCOUNTS
  writer.observe(AccountId(next), times(3))
  expect([counts(reader, 0), counts(reader, 1), counts(reader, next)]).toEqual([
    all(2),
    all(0),
    all(1),
  ])
  expect(reader.read(AccountId(next))[0]).toMatchObject({ mean: 3 * STEP_NS })
  expect(reader.accounts()).toHaveLength(LATENCY_ACCOUNTS)
})

test("a row that changes hands while it is read is nobody's", () => {
  const { writers, reader } = block()
  writers[0]!.observe(alice, times(1))
  const blocks = (reader as unknown as { blocks: { heads: Int32Array; rows: Float64Array }[] })
    .blocks
  const { heads, rows } = blocks[0]!
  const slice = rows.slice.bind(rows)
  rows.slice = (...range) => {
    heads[0] = 2
    return slice(...range)
  }
  expect(counts(reader, 0)).toEqual(all(0))
})
