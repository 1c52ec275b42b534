/** Defects of src/queries. */
import { inRoom } from '../defect.ts'

export const queries = inRoom('queries', [
  [
    'any number of queries may wait',
    'unit/queries/history-pool: more queries than may wait',
    'history-pool.ts',
    'this.pool.queueSize >= this.queueMax',
    'this.pool.queueSize < 0',
  ],
  [
    'an archive that has all is behind',
    'unit/queries/history-pool: a stalled archive',
    'history-pool.ts',
    'Atomics.load(this.archived, matcher) < position',
    'Atomics.load(this.archived, matcher) <= position',
  ],
  [
    'a query that was answered stays overdue',
    'unit/queries/history-pool: is not overdue',
    'history-pool.ts',
    '.finally(() => this.overdue.delete(fail))',
    '',
  ],
  [
    'each query that takes too long is warned of',
    'unit/queries/history-pool: takes too long',
    'history-pool.ts',
    '    if (!isNew) return\n',
    '',
  ],
  [
    'no query hurries',
    'unit/queries/history-pool: has waited for 100 ms',
    'history-pool.ts',
    'if (isWaiting) this.archive.hurry()',
    'if (this.isLoading()) this.archive.hurry()',
  ],
  [
    'raised history threads stay so',
    'unit/queries/history-pool: has waited for 100 ms',
    'history-priority.ts',
    'isWaiting ? usual : Math.max(usual, HISTORY_NICENESS)',
    'usual',
  ],
  [
    'klines are kept without a bound',
    'unit/queries/kline-lists',
    'kline-lists.ts',
    'if (this.kept <= this.keptMax) return',
    'if (this.keptMax > 0) return',
  ],
  [
    'klines that a trade can still change are kept',
    'unit/queries/kline-lists',
    'kline-lists.ts',
    'if (nextMs > settledMs || rows.has(openMs)) continue',
    'if (rows.has(openMs)) continue',
  ],
  [
    'forms are kept without a bound',
    'unit/queries/list-form-text',
    'list-form-text.ts',
    '      if (this.specs.size >= SPECS_MAX) this.specs.clear()\n',
    '',
  ],
  [
    'a form more is kept than may be',
    'unit/queries/list-form-text',
    'list-form-text.ts',
    'this.specs.size >= SPECS_MAX',
    'this.specs.size > SPECS_MAX',
  ],
])
