import { expect, test } from 'vitest'
import { AssetId } from '../../../src/base/units.ts'
import { Registry } from '../../../src/control/registry.ts'
import type { ControlMessage } from '../../../src/shared/control-message.ts'
import { controlPlaneOf } from './matchers-plane.ts'

/** Both compute trading volumes: of new blocks, and of old ones before they are removed. */
test('indexer and snapshots learn which asset values trades, once it is listed', async () => {
  const registry = new Registry()
  const indexed: ControlMessage[] = []
  const summed: ControlMessage[] = []
  const plane = controlPlaneOf(() => {}, {
    registry,
    indexer: { notify: async (messages) => void indexed.push(...messages) },
    snapshots: {
      send: (messages) => void summed.push(...messages),
      snapshot: async () => ({}),
    },
  })
  for (const [id, name] of ['BTC', 'USDT'].entries()) {
    const fact = { fact: 'asset', id: AssetId(id), name } as const
    registry.apply(fact)
    await plane.enforce([fact])
  }
  const valuation = { kind: 'asset', asset: { id: AssetId(1), name: 'USDT' }, isValuation: true }
  expect(indexed).toEqual([valuation])
  expect(summed).toEqual([valuation])
})
