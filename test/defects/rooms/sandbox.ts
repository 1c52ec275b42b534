/** Defects of src/sandbox. */
import { inRoom } from '../defect.ts'

export const sandbox = inRoom('sandbox', [
  [
    'a rule for an operation takes handshakes',
    'unit/gateway/websocket/faults: over REST',
    'fault-rule.ts',
    "['account', 'key', 'operation', 'parameter', 'symbol']",
    "['account', 'key', 'parameter', 'symbol']",
  ],
  [
    'the log says each time that a rule touches something',
    'unit/assembly/venue-faults: the log says',
    'fault-trigger.ts',
    'if (Atomics.add(this.cells, TOUCHED, 1) === 0) this',
    'if (Atomics.add(this.cells, TOUCHED, 1) >= 0) this',
  ],
  [
    'a rule is touched once more by progress at its own match',
    'unit/sandbox/fault-rule',
    'fault-trigger.ts',
    'counted <= this.counted || counted >= number',
    'counted <= this.counted || counted > number',
  ],
  [
    'a rule touches at the moment of its end',
    'unit/sandbox/fault-rule',
    'fault-trigger.ts',
    'elapsedMs >= this.untilMs) return 0',
    'elapsedMs > this.untilMs) return 0',
  ],
  [
    'a rule touches before the moment of its beginning only',
    'unit/sandbox/fault-rule',
    'fault-trigger.ts',
    'elapsedMs < this.fromMs ||',
    'elapsedMs <= this.fromMs ||',
  ],
  [
    'a delay is one ms longer than the most',
    'unit/sandbox/fault-rule',
    'fault-rule.ts',
    'ms > DELAY_MS_MAX)) {',
    'ms > DELAY_MS_MAX + 1)) {',
  ],
])
