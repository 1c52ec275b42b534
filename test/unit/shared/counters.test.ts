import { describe, expect, test } from 'vitest'
import {
  countersBytes,
  ExchangeCounter,
  ExchangeCounters,
  GatewayCounter,
  journalStore,
  MatcherCounter,
  readCounters,
  StoreCounter,
  ThreadCounters,
  WalletCounter,
} from '../../../src/shared/counters.ts'

function counted(matchers: number, gateways: number) {
  const memory = new SharedArrayBuffer(countersBytes(matchers, gateways))
  const value = (scope: string, index: number, name: string) =>
    readCounters(memory, matchers, gateways).find(
      (row) => row.scope === scope && row.index === index && row.name === name,
    )?.value
  return { memory, value }
}

test.each([
  [1, 1],
  [3, 1],
  [1, 4],
  [32, 32],
])('%i matchers and %i gateways: each counter is a cell of its own', (matchers, gateways) => {
  const { memory } = counted(matchers, gateways)
  const exchange = new ExchangeCounters(memory)
  let next = 1
  for (const cell of Object.values(ExchangeCounter)) exchange.add(cell, next++)
  for (let index = 0; index < matchers; index++) {
    const matcher = ThreadCounters.ofMatcher(memory, index)
    for (const cell of Object.values(MatcherCounter)) matcher.add(cell, next++)
  }
  for (let index = 0; index < gateways; index++) {
    const gateway = ThreadCounters.ofGateway(memory, index)
    for (const cell of Object.values(GatewayCounter)) gateway.add(cell, next++)
  }
  for (let store = 0; store < journalStore(matchers); store++) {
    const block = ThreadCounters.ofStore(memory, store)
    for (const cell of Object.values(StoreCounter)) block.add(cell, next++)
  }
  const wallet = ThreadCounters.ofWallet(memory)
  for (const cell of Object.values(WalletCounter)) wallet.add(cell, next++)
  const values = readCounters(memory, matchers, gateways).map((row) => row.value)
  expect(values).toEqual(Array.from({ length: next - 1 }, (_, i) => i + 1))
})

describe('one cell', () => {
  test('totals grow, gauges are set, maxima are kept', () => {
    const { memory, value } = counted(2, 2)
    const matcher = ThreadCounters.ofMatcher(memory, 1)
    matcher.add(MatcherCounter.commands, 3)
    matcher.add(MatcherCounter.commands, 4)
    matcher.set(MatcherCounter.oversizedPublications, 9)
    matcher.set(MatcherCounter.oversizedPublications, 5)
    matcher.raise(MatcherCounter.batchCommandsMax, 8)
    matcher.raise(MatcherCounter.batchCommandsMax, 6)
    expect(value('matcher', 1, 'commands')).toBe(7)
    expect(value('matcher', 1, 'oversizedPublications')).toBe(5)
    expect(value('matcher', 1, 'batchCommandsMax')).toBe(8)
    expect(value('matcher', 0, 'commands')).toBe(0)
    expect(value('gateway', 1, 'commands')).toBe(0)
  })

  test('counts past 2^32', () => {
    const { memory, value } = counted(1, 1)
    ThreadCounters.ofMatcher(memory, 0).add(MatcherCounter.idleNs, 2 ** 50 + 1)
    new ExchangeCounters(memory).add(ExchangeCounter.warnings, 2 ** 50 + 1)
    expect(value('matcher', 0, 'idleNs')).toBe(2 ** 50 + 1)
    expect(value('exchange', 0, 'warnings')).toBe(2 ** 50 + 1)
  })
})

test('every row says what it counts', () => {
  const { memory } = counted(1, 1)
  const rows = readCounters(memory, 1, 1)
  expect(rows.length).toBeGreaterThan(0)
  for (const row of rows) {
    expect(row.name).toMatch(/^[a-z][A-Za-z]+$/)
    expect(row.unit).toMatch(/^[a-z]+$/)
    expect(row.meaning).toMatch(/^[A-Za-z].{3,}/)
    expect(row.kind === 'maximum').toBe(row.name.endsWith('Max'))
  }
})
