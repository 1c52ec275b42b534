/** Defects of orders that are routed over the books of a group. */
import { GroupBook } from '../../src/core/matching/group-book.ts'
import { Routing } from '../../src/core/matching/routing.ts'
import { Allocation } from '../../src/layout/accessors.gen.ts'
import { type SimulatedDefect, within } from './defect.ts'

export const routingDefects: readonly SimulatedDefect[] = [
  ...within('routing', 20_000, {
    'core/matching: what a routed order wakes in another book waits for a command there': (
      planting,
    ) =>
      planting.method(Routing, 'settle', (usual) => (self) => {
        usual(self)
        return []
      }),
    'core/matching: at equal prices the last book of a group comes first': (planting) =>
      planting.method(GroupBook, 'isBetterThan', (usual) => (self, other) => !usual(other, self)),
    'core/matching: ids of allocations begin again with a start': (planting) =>
      planting.member(Allocation, 'allocationId', () => () => 0),
  }),
]
