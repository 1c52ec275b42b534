/** Defects of src/shared. */
import { inRoom } from '../defect.ts'

export const shared = inRoom('shared', [
  [
    'a row of latency keeps what it has of the account before',
    'unit/shared/account-latency: timed longest ago',
    'account-latency.ts',
    '    rows.fill(0, row * ROW_CELLS, (row + 1) * ROW_CELLS)\n',
    '',
  ],
  [
    'the account that was timed first goes first',
    'unit/shared/account-latency: timed longest ago',
    'account-latency.ts',
    '    rowByAccount.delete(account)\n',
    '',
  ],
  [
    'a reader takes a row that changed hands',
    'unit/shared/account-latency: changes hands',
    'account-latency.ts',
    '      if (Atomics.load(heads, row) !== account + 1) continue\n',
    '',
  ],
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
