/**
 * `npm run fuzz`: a million random inputs for each target of test/fuzz/targets.ts (`--inputs`, `--seed`
 * for others). Exit code 1 when one misbehaves; its seed and number are printed.
 */
import { parseArgs } from 'node:util'
import { fuzz, targets } from '../test/fuzz/targets.ts'
import { Progress } from './audit/progress.ts'

const CHUNK = 10_000

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
  },
})

/** Throws RangeError unless it is a whole number above zero. */
function whole(flag: 'inputs' | 'seed'): number {
  const value = Number(values[flag])
  if (Number.isSafeInteger(value) && value > 0) return value
  throw new RangeError(`--${flag} must be a whole number above 0`)
}

try {
  const inputs = whole('inputs')
  const first = whole('seed')
  for (const target of targets) {
    const progress = new Progress(`inputs of ${target.name}`, inputs)
    let seed = first
    for (let left = inputs; left > 0; left -= CHUNK) {
      fuzz(target, seed++, Math.min(left, CHUNK))
      progress.advance(Math.min(left, CHUNK))
    }
    progress.end()
  }
} catch (error) {
  const { message, cause } = error as Error
  process.stderr.write(`${message}\n${(cause as Error | undefined)?.stack ?? ''}\n`)
  process.exitCode = 1
}
