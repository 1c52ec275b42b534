/** What the head of the operators' screen says. */
import { expect, test } from 'vitest'
import { SymbolStatus } from '../../../src/base/codes.ts'
import {
  exchangeState,
  type StateParts,
  tradingCount,
} from '../../../src/control/exchange-state.ts'

const leader = 'http://one:8080'
const role = (name: StateParts['role']['role'], more: object = {}) => ({
  role: name,
  leader,
  lagPositions: 0,
  epoch: 1,
  lagMs: 0,
  ...more,
})
const fine: StateParts = {
  isReady: true,
  isReadOnly: false,
  role: role('leader'),
  quorumWaitMs: 0,
  disk: { isRefusing: false },
  degradedParts: [],
  isUnderMaintenance: false,
  trading: { trading: 6, listed: 6 },
}
const stateOf = (changes: Partial<StateParts>) => {
  const { level, text } = exchangeState({ ...fine, ...changes })
  return `${level}: ${text}`
}

test.each<[string, Partial<StateParts>]>([
  ['good: Accepts orders', {}],
  ['bad: Accepts no orders', { isReady: false }],
  ['bad: Read-only: disk', { isReady: false, isReadOnly: true }],
  ['bad: 0 of 6 trading', { trading: { trading: 0, listed: 6 } }],
  ['warn: 5 of 6 trading', { trading: { trading: 5, listed: 6 } }],
  ['bad: No symbols listed', { trading: { trading: 0, listed: 0 } }],
  ['bad: No new orders: disk reserve', { disk: { isRefusing: true } }],
  ['warn: Archive rebuilding', { degradedParts: ['indexer-0', 'indexer-0 stands still'] }],
  ['warn: Snapshots failing', { degradedParts: ['snapshot-0'] }],
  ['warn: Maintenance announced', { isUnderMaintenance: true }],
  [
    'warn: 2 of 6 trading, archive rebuilding',
    { trading: { trading: 2, listed: 6 }, degradedParts: ['indexer-0'] },
  ],
  ['bad: Waits for the quorum, 3 s', { quorumWaitMs: 3_400 }],
  ['good: Follows http://one:8080, 12 behind', { role: role('follower', { lagPositions: 12 }) }],
  ['good: Follows another member, 0 behind', { role: role('follower', { leader: '' }) }],
  ['bad: Accepts no orders', { isReady: false, role: role('follower') }],
  [
    'warn: Follows http://one:8080, 0 behind, 5 of 6 trading',
    { role: role('follower'), trading: { trading: 5, listed: 6 } },
  ],
  ['bad: Takes over', { role: role('takingOver') }],
  ['bad: Hands over', { role: role('handingOver') }],
  ['bad: Does not know whether it leads', { role: role('cutOff') }],
])('%s', (said, changes) => {
  expect(stateOf(changes)).toBe(said)
})

test('nothing but all that is well is green', () => {
  for (const trading of [0, 1, 5]) {
    for (const isUnderMaintenance of [false, true]) {
      const { level } = exchangeState({
        ...fine,
        isUnderMaintenance,
        trading: { trading, listed: 6 },
      })
      expect(level).not.toBe('good')
    }
  }
})

test('a delisted symbol is not one that should trade', () => {
  const symbols = [SymbolStatus.TRADING, SymbolStatus.HALT, SymbolStatus.BREAK].map(
    (status, id) => ({ id, status }),
  )
  expect(tradingCount({ symbols, delistedSymbols: new Set([2]) })).toEqual({
    trading: 1,
    listed: 2,
  })
})
