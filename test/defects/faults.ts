/** Defects of the sandbox's faults: they reach whom they are not for, last too long, fill too much or hide an event. */
import { Counterparty } from '../../src/control/counterparty.ts'
import { UserStreams } from '../../src/gateway/streams/user-streams.ts'
import { Faults } from '../../src/pipeline/faults.ts'
import { FaultTrigger } from '../../src/sandbox/fault-trigger.ts'
import { type SimulatedDefect, within } from './defect.ts'

/** A field of rules that gateways do not read. */
const unread = (name: string, field: 'key' | 'over' | 'way'): SimulatedDefect => ({
  name,
  simulator: 'faults',
  steps: 240,
  plant: (planting) =>
    planting.method(Faults, 'set', (usual) => (self, posted) => {
      const blind = posted.map((each) => {
        const { [field]: _, ...rule } = each.rule
        return { ...each, rule }
      })
      usual(self, blind)
    }),
})

export const faultDefects: readonly SimulatedDefect[] = [
  unread('pipeline: a fault leaks to another key', 'key'),
  unread('pipeline: a fault of sessions touches REST', 'over'),
  unread('pipeline: a request that is lost on its way in is executed', 'way'),
  ...within('faults', 240, {
    'market: a rule that is over touches once more': (planting) => {
      const spent = new WeakSet<FaultTrigger>()
      planting.method(FaultTrigger, 'pull', (usual) => (self, elapsedMs) => {
        const number = usual(self, elapsedMs)
        const { after = 0, every, times } = self.rule
        const isFirst = number === 0 && after === 0 && every === 1 && times === 1
        if (!isFirst || spent.has(self)) return number
        spent.add(self)
        return 2
      })
    },
    'gateway: an event is missing from the tape': (planting) => {
      let reports = 0
      planting.method(UserStreams, 'reportAll', (usual) => (self, tap) => {
        usual(self, (account, spec, report) => {
          if (++reports % 25 !== 0) tap(account, spec, report)
        })
      })
    },
  }),
  ...within('faults', 120, {
    'control: a fill takes a lot too much': (planting) =>
      planting.method(Counterparty, 'fill', (usual) => (self, wish, count) => {
        const quantity = (Number(wish.quantity) + 0.00001).toFixed(5)
        return usual(self, { ...wish, quantity }, count)
      }),
  }),
]
