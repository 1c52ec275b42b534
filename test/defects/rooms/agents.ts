/** Defects of src/agents. */
import { inRoom } from '../defect.ts'

export const agents = inRoom('agents', [
  [
    'an archive that is opened lacks the credits of before',
    'unit/control/distributions: made again',
    'indexer.ts',
    'writer.distribute(reading(() => distributions?.() ?? []))',
    'writer.distribute([])',
  ],
  [
    'a start forgets a countdown that was over',
    'unit/agents/countdown-watch: a start',
    'matcher.ts',
    'if (this.countdowns.expire(this.clockMs)) this.takeUnfinished()',
    'this.countdowns.find()',
  ],
  [
    'a countdown fires before a renewal that had arrived',
    'unit/agents/countdown-watch: had arrived',
    'countdown-watch.ts',
    'if (!this.rings.every(isExecuted)) return false',
    'void isExecuted',
  ],
  [
    'an idle matcher does not wake for a countdown',
    'unit/agents/countdown-watch: an idle matcher',
    'matcher.ts',
    'Math.max(0, Math.min(callsMs, dueMs - nowMs))',
    'callsMs',
  ],
  [
    'the covered block itself is sealed',
    'replay/sealed-segments',
    'compactor.ts',
    'position < covered && goesOn()',
    'position <= covered && goesOn()',
  ],
  [
    'an auction that a kill has cut is not continued by the next start',
    'e2e/crash-auction',
    'dist/src/workers/matching.thread.cjs',
    'this.unfinished = this.isLeading ? unfinishedOf(options.engines) : [];',
    'this.unfinished = [];',
  ],
  [
    'a symbol defers a command more than its share',
    'unit/agents/deferred-commands: bounds are met',
    'deferred-commands.ts',
    'own + bytes > left / 2',
    'own > left / 2',
  ],
  [
    'an account defers a command more than it may',
    'unit/agents/deferred-commands',
    'deferred-commands.ts',
    'count < this.bounds.accountCommands',
    'count <= this.bounds.accountCommands',
  ],
  [
    'a command that is executed keeps its room',
    'unit/agents/deferred-commands: bounds are met',
    'deferred-commands.ts',
    '      else this.note(deferred, -1)\n',
    '',
  ],
  [
    'rules that are added again and again fill the log',
    'unit/assembly/venue-faults: the log says',
    'gateway-agent.ts',
    '++this.touchedCount > TOUCHES_LOGGED_MAX',
    '++this.touchedCount > 2 * TOUCHES_LOGGED_MAX',
  ],
])
