/** The day that benches journal is one that a start of this Ringbook reads. */
import { expect, test } from 'vitest'
import { journalDay } from '../../../bench/workloads/journaled-day.ts'
import type { Fact } from '../../../src/control/facts.ts'
import { Registry } from '../../../src/control/registry.ts'
import { ControlStore } from '../../../src/journal/control-store.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'

test('its facts are of the layout in use', () => {
  const folder = temporaryFolder()

  expect(journalDay(folder, 2_000).events).toBeGreaterThanOrEqual(2_000)
  const control = ControlStore.open(folder)
  const registry = new Registry()
  for (const fact of control.entries()) registry.apply(fact as Fact)
  control.close()
  expect(registry.epoch).toBe(1)
})
