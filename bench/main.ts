/**
 * `npm run bench -- NAME [options]`: runs one benchmark under plain node and prints its result. With
 * `--keep` the result joins those that the tables of the documents are made from.
 */
import os from 'node:os'
import { keepRun } from '../scripts/benchmarks/kept-runs.ts'
import { type Flags, readSettings, type SettingsOf } from './harness/flags.ts'
import type { BenchResult } from './harness/report.ts'

interface Bench {
  readonly flags: Flags
  run(settings: SettingsOf<Flags>): Promise<BenchResult>
}

const benches: Record<string, () => Promise<Bench>> = {
  book: () => import('./micro/book.ts'),
  engine: () => import('./micro/engine.ts'),
  instructions: () => import('./micro/instructions.ts'),
  'gateway-instructions': () => import('./wire/gateway-instructions.ts'),
  scale: () => import('./micro/scale.ts'),
  ring: () => import('./micro/ring.ts'),
  journal: () => import('./micro/journal.ts'),
  replicated: () => import('./micro/replicated.ts'),
  failover: () => import('./members/failover.ts'),
  follow: () => import('./members/follow.ts'),
  wire: () => import('./wire/wire.ts'),
  // Its ratio is one of `wire`.
  wsapi: () => import('./wire/wire.ts'),
  embedded: () => import('./wire/embedded.ts'),
  fanout: () => import('./wire/fanout.ts'),
  overload: () => import('./wire/overload.ts'),
  recovery: () => import('./wire/recovery.ts'),
  metrics: () => import('./wire/metrics.ts'),
  latency: () => import('./wire/latency.ts'),
  tail: () => import('./wire/tail.ts'),
  archive: () => import('./micro/archive.ts'),
  queries: () => import('./wire/queries.ts'),
  console: () => import('./console/console.ts'),
  hmac: () => import('./micro/hmac.ts'),
  render: () => import('./micro/render.ts'),
}

const [name = '', ...words] = process.argv.slice(2)
const isKept = words.includes('--keep')
const args = words.filter((word) => word !== '--keep')
const load = Object.hasOwn(benches, name) ? benches[name] : undefined
if (load === undefined) {
  process.stderr.write(`usage: npm run bench -- ${Object.keys(benches).join('|')}\n`)
  process.exit(1)
}
try {
  const { flags, run } = await load()
  const settings = readSettings(flags, args)
  if (settings !== undefined) {
    process.stdout.write(
      `${name} on ${os.cpus()[0]?.model.trim()} × ${os.cpus().length}, Node.js ${process.version}\n`,
    )
    // Well above zero, something else runs on the machine, and the figures are worth little.
    const loadAverageBefore = os.loadavg()[0]!
    const { ratios, figures: measured } = await run(settings)
    const machine = `${os.cpus()[0]?.model.trim()} × ${os.cpus().length}`
    const figures = { ...measured, machine, node: process.version, loadAverageBefore }
    if (isKept) keepRun(name, args, { ratios, figures })
    process.stdout.write(`${JSON.stringify({ bench: name, ratios, figures })}\n`)
  }
} catch (error) {
  const { name, message, stack } = error as Error
  process.stderr.write(`${name === 'UsageError' ? message : stack}\n`)
  process.exitCode = 1
}
