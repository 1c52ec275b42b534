/**
 * `npm run fuzz`: a million inputs for each target, or for one (`--target rest`, `--inputs`, `--seed`
 * for others). Exit code 1 when something misbehaves; its seed and number are printed.
 */
import { parseArgs } from 'node:util'
import { fuzz, targets } from '../test/fuzz/targets.ts'
import { fuzzWire, wireTargets } from '../test/fuzz/wire.ts'
import { Progress } from './audit/progress.ts'

const CHUNK = 10_000
const ALL = 'all'

/** Throws RangeError unless it is a whole number above zero. */
function whole(flag: string, text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value > 0) return value
  throw new RangeError(`--${flag} must be a whole number above 0`)
}

async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      target: { type: 'string', default: ALL },
      inputs: { type: 'string', default: '1000000' },
      seed: { type: 'string', default: '1' },
    },
  })
  const inputs = whole('inputs', values.inputs)
  const seed = whole('seed', values.seed)
  const isWanted = ({ group }: { readonly group: string }) =>
    values.target === ALL || values.target === group
  const chosen = targets.filter(isWanted)
  const wired = wireTargets.filter(({ name }) => isWanted({ group: name }))
  const known = [...new Set(targets.map(({ group }) => group)), ...wireTargets.map((it) => it.name)]
  if (chosen.length + wired.length === 0) {
    throw new RangeError(`--target must be one of ${[...known, ALL].join(', ')}`)
  }
  for (const target of chosen) {
    const progress = new Progress(`inputs of ${target.name}`, inputs)
    let chunkSeed = seed
    for (let left = inputs; left > 0; left -= CHUNK) {
      fuzz(target, chunkSeed++, Math.min(left, CHUNK))
      progress.advance(Math.min(left, CHUNK))
    }
    progress.end()
  }
  for (const target of wired) {
    const progress = new Progress(`inputs of ${target.name}`, inputs)
    const said = await fuzzWire(target, seed, inputs, (count) => progress.advance(count))
    progress.end()
    process.stdout.write(`${target.name}: ${inputs} inputs, ${said}\n`)
  }
}

try {
  await run(process.argv.slice(2))
  process.exit()
} catch (error) {
  const { message, cause } = error as Error
  process.stderr.write(`${message}\n${(cause as Error | undefined)?.stack ?? ''}\n`)
  process.exit(1)
}
