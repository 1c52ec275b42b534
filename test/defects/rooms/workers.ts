/** Defects of src/workers. */
import { inRoom } from '../defect.ts'

export const workers = inRoom('workers', [
  [
    'queries wait for an indexer in the idle class',
    'unit/workers/background: waits for the archive',
    'background.ts',
    'const isAwaited = hurries !== this.lastHurries && this.isBehind()',
    'const isAwaited = hurries < 0',
  ],
  [
    'a query that waits for no block ends the idle class',
    'unit/workers/background: waits for the archive',
    'background.ts',
    'const isAwaited = hurries !== this.lastHurries && this.isBehind()',
    'const isAwaited = hurries !== this.lastHurries',
  ],
  [
    'the archive keeps up while queries wait for it',
    'unit/workers/background: waits for the archive',
    'background.ts',
    "    if (this.class === 'normal') this.looks = 0\n    else",
    "    if (this.class === 'idle')",
  ],
  [
    'a stopped worker is started again',
    'unit/workers/derived-worker',
    'derived-worker.ts',
    '    this.next?.cancel()\n',
    '',
  ],
])
