/** Thousands of inputs for each target; `npm run fuzz` gives a million. */
import { test } from 'vitest'
import { fuzz, targets } from './targets.ts'

const INPUTS = 10_000

test.each(targets)('$name', (target) => fuzz(target, 1, INPUTS))
