/** Defects of src/archive. */
import { inRoom } from '../defect.ts'

export const archive = inRoom('archive', [
  [
    "a client's id of a withdrawal is forgotten",
    'unit/archive/wallet: names its account',
    'wallet.ts',
    'this.requests.put(requestKey(account, requestId), this.request.bytes)',
    'void requestKey',
  ],
  [
    'a page begins before rows that were left out',
    'unit/archive/wallet: behind others that match',
    'wallet.ts',
    'if (skipped < offset) skipped++',
    'if (offset < 0) skipped++',
  ],
  [
    'the archive does not know the ids of block trades',
    'unit/assembly/block-trades: behind the newest',
    'rare-projection.ts',
    'this.blockTradeRequests.put(this.blockTradeRequestKey.of(symbolId, low, high, id), PRESENT)',
    'void [low, high, PRESENT]',
  ],
  [
    'the newest distributions come first',
    'unit/control/distributions: the newest of all',
    'distributions.ts',
    'isNewest ? rows.reverse() : rows',
    'rows',
  ],
  [
    'an aggregate outlives its phase',
    'unit/core/views/aggregate-view',
    'aggregate-trades.ts',
    '    AggregateValue.setTakerOrderId(open.row, 0, NO_TAKER)\n',
    '',
  ],
  [
    "the summary's folder is not flushed before segments go",
    'replay/lost-power: retention',
    'archive-base.ts',
    '  flushFolder(folder)\n  flushFolder(dataFolder)',
    '  flushFolder(dataFolder)',
  ],
  [
    'the name of the first summary is not flushed before segments go',
    'replay/lost-power: retention',
    'archive-base.ts',
    '  flushFolder(folder)\n  flushFolder(dataFolder)',
    '  flushFolder(folder)',
  ],
  [
    'details in a summary of layout 8 stay as they were',
    'unit/archive/archive',
    'archive-base.ts',
    'name === TableName.DETAILS ? detailsOfLayout8(value) : value',
    'value',
  ],
  [
    'rows of the last kept day go',
    'unit/archive/retention',
    'retention.ts',
    '(Math.floor(nowMs / DAY_MS) - days) * DAY_MS',
    '(Math.floor(nowMs / DAY_MS) - days + 1) * DAY_MS',
  ],
  [
    'an archive that was not closed is trusted after a power loss',
    'unit/archive/open-mark',
    'open-mark.ts',
    'this.bootId === undefined || boot !== this.bootId',
    'this.bootId === undefined',
  ],
  [
    'a short start more is trusted',
    'unit/archive/open-mark',
    'open-mark.ts',
    'if (this.short < SHORT_MAX)',
    'if (this.short <= SHORT_MAX)',
  ],
  [
    'the mark of an archive that is opened has no name after a power loss',
    'replay/lost-power: the mark of',
    'open-mark.ts',
    '    writeFileSync(this.file, OPENING, { flush: true })\n    flushFolder(this.folder)',
    '    writeFileSync(this.file, OPENING, { flush: true })',
  ],
])
