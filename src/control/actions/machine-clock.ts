/** Actions on the machine's clock, when it was or seems wrong: the exchange cannot know which time is true. */
import { lengthText } from '../../base/time-text.ts'
import { Ms } from '../../base/units.ts'
import { ActionError, actionsOf, type ExchangeView, type MachineReading } from '../action.ts'
import type { Fact } from '../facts.ts'

/** A journal that is less ahead than this has its time again soon. */
const CORRECTED_MS_MIN = 60_000

const REMOVED =
  'Old blocks of the journals were removed (--keep-journal-days), and a correction needs all of them: restore a ' +
  'backup from before.'

const shared = { role: 'admin', params: [] } as const

export const machineClockActions = actionsOf('exchange', [
  {
    ...shared,
    name: 'clock-accept',
    title: "Believe the machine's clock",
    example: 'clock-accept',
    about: "Believes the machine's clock, which is ahead of the exchange's time.",
    previews: (_, { view }) => {
      const { doubt, machineMs } = doubted(view)
      return {
        does: `Believe the machine's clock, which is ${lengthText(doubt.aheadMs)} ahead`,
        note:
          `It says ${dateText(machineMs)}. From then on orders carry its time, which can only be taken ` +
          'back by clock-correct.',
        yes: 'Believe',
      }
    },
    run: (_, { view }) => {
      doubted(view)
      return {
        said: '',
        report: async () => {
          const { clock } = doubted(view)
          clock.accept()
          return `It is ${dateText(clock.reading().nowMs)}.`
        },
      }
    },
  },
  {
    ...shared,
    name: 'clock-correct',
    title: 'Take a wrong time back',
    example: 'clock-correct',
    about:
      'Takes back the time of a journal that a wrong clock has put ahead: orders have the true time.',
    previews: (_, { nowMs }, { facts }) => {
      const { fromMs, toMs } = facts![0] as Extract<Fact, { fact: 'correction' }>
      return {
        does: `Take the journal back by ${lengthText(toMs - fromMs)}, to ${dateText(nowMs)}`,
        note:
          'All connections end, and the exchange serves again once it has read its journals. What was ' +
          `journaled with a later time is shown at ${dateText(nowMs)}; candles after it are gone.`,
        yes: 'Correct',
      }
    },
    run: async (_, { view, nowMs }) => {
      const aheadMs = await view.journalAheadMs()
      if (aheadMs <= CORRECTED_MS_MIN) {
        throw new ActionError(
          `The journal is ${lengthText(aheadMs)} ahead of the clock: wait for it.`,
        )
      }
      if (view.hasRemovedBlocks()) throw new ActionError(REMOVED)
      const fact = { fact: 'correction', fromMs: nowMs, toMs: Ms(nowMs + aheadMs) } as const
      return {
        facts: [fact],
        said: '',
        report: async () => {
          await view.startAgain()
          return `The journal is corrected by ${lengthText(aheadMs)}.`
        },
      }
    },
  },
])

/** Throws ActionError while the clock is believed. */
function doubted({ machineClock: clock }: ExchangeView) {
  const reading = clock?.reading()
  const { doubt } = reading ?? {}
  if (clock === undefined || doubt === undefined) {
    throw new ActionError("The machine's clock is not doubted.")
  }
  return { ...(reading as MachineReading), clock, doubt }
}

const dateText = (ms: number): string => new Date(ms).toISOString()
