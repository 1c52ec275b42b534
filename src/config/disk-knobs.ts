/** Settings of what the disk keeps: how much of it stays free, and for how long rows stay in the archive. */
import type { Knob } from './knob.ts'

const BY_FOLDER = 'demo: 7 in a data folder that was made as a demo, else 0.'
const days = { kind: 'days', unit: 'days', default: 'demo', min: 0, max: 36_500 } as const

export const diskKnobs = {
  diskReserveMb: {
    kind: 'integer',
    flag: 'disk-reserve-mb',
    unit: 'MiB',
    default: 1024,
    min: 0,
    max: 1_048_576,
    about:
      'Free space of the disk below which new orders are refused with -1008, so that cancels have ' +
      'room; 0 for none.',
  },
  keepPublicTradeDays: {
    ...days,
    flag: 'keep-public-trade-days',
    about: `Whole days of public and aggregate trades in the archive; 0 for all; ${BY_FOLDER}`,
  },
  keepSecondBarDays: {
    ...days,
    flag: 'keep-second-bar-days',
    about:
      'Whole days of second klines in the archive; longer klines always stay; 0 for all; ' +
      BY_FOLDER,
  },
  keepOrderDays: {
    ...days,
    flag: 'keep-order-days',
    about: `Whole days of closed orders and their trades in the archive; 0 for all; ${BY_FOLDER}`,
  },
} as const satisfies Record<string, Knob>
