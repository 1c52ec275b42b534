/** Defects of src/shared. */
import { inRoom } from '../defect.ts'

export const shared = inRoom('shared', [
  [
    'a lead counts as confirmed at the end of its lease',
    'unit/shared/role',
    'role.ts',
    'elapsedMs(this.clock) < untilMs',
    'elapsedMs(this.clock) <= untilMs',
  ],
  [
    'a leader that is cut off shows its address',
    'unit/shared/role',
    'role.ts',
    "return this.isCutOff ? '' : this.readAddress()",
    'return this.readAddress()',
  ],
  [
    'a lock holds at its very end',
    'unit/archive/activity: are told',
    'trading-locks.ts',
    '> nowMs',
    '>= nowMs',
  ],
  [
    'a loss within a ms is none',
    'unit/shared/quorum-counts',
    'quorum-counts.ts',
    'Math.max(1, elapsedMs(this.clock) - beganMs)',
    'elapsedMs(this.clock) - beganMs',
  ],
  [
    'a quorum that is lost is lost again',
    'unit/shared/quorum-counts',
    'quorum-counts.ts',
    '    if (this.readCell(WAIT_BEGAN_MS) !== 0) return\n',
    '',
  ],
])
