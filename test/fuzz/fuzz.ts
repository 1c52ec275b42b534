/**
 * `npm run fuzz`: a million inputs for each target, or for one (`--target rest`, `--inputs`, `--seed`
 * for others). Exit code 1 when something misbehaves; its seed and number are printed.
 */

import { Progress } from '../../scripts/command-line/progress.ts'
import { oneOf, readFlags, wholeNumber } from '../../scripts/command-line/tool.ts'
import { UsageError } from '../../scripts/command-line/usage-error.ts'
import { fuzz, targets } from './targets.ts'
import { socketTargets } from './wire.ts'

const CHUNK = 10_000
const ALL = 'all'

const groups = [
  ...new Set(targets.map(({ group }) => group)),
  ...socketTargets.map((it) => it.name),
]
const tool = {
  name: 'fuzz',
  about: 'Gives inputs with things wrong in them to whatever reads some.',
  flags: {
    target: { value: 'NAME', about: `One of ${groups.join(', ')}, ${ALL}`, default: ALL },
    inputs: { value: 'N', about: 'For each target', default: '1000000' },
    seed: { value: 'N', about: 'Of the inputs', default: '1' },
  },
} as const

async function run(args: string[]): Promise<void> {
  const values = readFlags(tool, args)
  if (values === undefined) return
  const inputs = wholeNumber('inputs', values.inputs)
  const seed = wholeNumber('seed', values.seed)
  const wanted = oneOf('target', values.target, [...groups, ALL])
  const isWanted = ({ group }: { readonly group: string }) => wanted === ALL || wanted === group
  const chosen = targets.filter(isWanted)
  const wired = socketTargets.filter(({ name }) => isWanted({ group: name }))
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
    const said = await target.fuzz(seed, inputs, (count) => progress.advance(count))
    progress.end()
    process.stdout.write(`${target.name}: ${inputs} inputs, ${said}\n`)
  }
}

try {
  await run(process.argv.slice(2))
  process.exit()
} catch (error) {
  const { message, cause } = error as Error
  const found = error instanceof UsageError ? '' : `${(cause as Error | undefined)?.stack ?? ''}\n`
  process.stderr.write(`${message}\n${found}`)
  process.exit(1)
}
