/** Thousands of inputs for each target; `npm run fuzz` gives a million. */
import { test } from 'vitest'
import { fuzz, targets } from './targets.ts'
import { socketTargets } from './wire.ts'

const INPUTS = 10_000
/** Inputs of targets that write files, and of those that use sockets. */
const FILE_INPUTS = 2_000
const WIRE_INPUTS = 3_000
/** Strangers who send many requests each. */
const FLOODS = 1_000

test.each(targets)('$name', (target) => {
  fuzz(target, 1, target.writesFiles ? FILE_INPUTS : INPUTS)
})

test.each(socketTargets)('$name, over real sockets', async (target) => {
  await target.fuzz(1, target.name === 'floods' ? FLOODS : WIRE_INPUTS)
}, 600_000)
