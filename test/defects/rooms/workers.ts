/** Defects of src/workers. */
import { inRoom } from '../defect.ts'

export const workers = inRoom('workers', [
  [
    'a stopped worker is started again',
    'unit/workers/derived-worker',
    'derived-worker.ts',
    '    this.next?.cancel()\n',
    '',
  ],
])
