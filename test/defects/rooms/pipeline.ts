/** Defects of src/pipeline. */
import { inRoom } from '../defect.ts'

export const pipeline = inRoom('pipeline', [
  [
    'silence takes no place',
    'unit/pipeline/delayed',
    'faults.ts',
    "this.after(effect === 'silence' ? (ms ?? DELAY_MS_MAX) : 0, cut, waiter, 0)",
    "this.parts.time.after(effect === 'silence' ? (ms ?? DELAY_MS_MAX) : 0, cut)",
  ],
  [
    'an order is executed though its connection is cut on the way in',
    'unit/pipeline/faults: without an answer',
    'faults.ts',
    "if (rule.way === 'in') out(end)",
    'if (rule.way === undefined) out(end)',
  ],
  [
    "a skewed clock stays in an order's expiry",
    'unit/pipeline/faults',
    'pipeline.ts',
    'request.known(key, Ms(expiresMs - skewMs))',
    'request.known(key, expiresMs)',
  ],
  [
    'delayed requests may take any bytes',
    'unit/pipeline/delayed',
    'faults.ts',
    'const hasPlace = this.places.hasRoom(holder, 1, isOperators)\n    if (hasPlace && this.bytes.hasRoom(holder, bytes, isOperators)) return true',
    'if (this.places.hasRoom(holder, 1, isOperators)) return true',
  ],
  [
    'delays of a rule that an account made take the places of operators',
    'unit/pipeline/delayed',
    'faults.ts',
    'if (rule.rule.owner !== undefined) isOperators = false',
    '',
  ],
  [
    'the place of a delay that is over stays taken',
    'unit/pipeline/delayed',
    'faults.ts',
    'this.places.add(holder, -1)',
    '',
  ],
  [
    'the bytes of a delay that is over stay taken',
    'unit/pipeline/delayed',
    'faults.ts',
    'this.bytes.add(holder, -bytes)',
    '',
  ],
  [
    'the place of a step that was answered stays taken',
    'unit/pipeline/delayed',
    'faults.ts',
    'this.steps.add(holder, -1)',
    '',
  ],
  [
    'a delayed answer is taken for JSON, whatever encoded it',
    'unit/pipeline/line-transport: the sandbox delays',
    'faults.ts',
    'new Encoded(encoder.name,',
    "new Encoded('JSON',",
  ],
])
