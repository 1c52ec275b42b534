/**
 * Runs of benches that were kept: one JSON file for each bench, oldest first. The tables of README.md and
 * docs are made from them.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** Runs that are kept of each bench; older ones give way. */
const RUNS_MAX = 10

export interface KeptRun {
  /** UTC. */
  readonly day: string
  readonly machine: string
  /** As they were given. */
  readonly options: string
  readonly ratios: Readonly<Record<string, number>>
  readonly figures: Readonly<Record<string, number | string>>
}

export const keptFile = (bench: string): string => `bench/kept/${bench}.json`

/** Returns no run for a bench that has none. */
export function readKept(bench: string): readonly KeptRun[] {
  const file = keptFile(bench)
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : []
}

/** Adds a run of the bench. `options` are the words behind its name. */
export function keepRun(
  bench: string,
  options: readonly string[],
  { ratios, figures }: Pick<KeptRun, 'ratios' | 'figures'>,
): void {
  const run: KeptRun = {
    day: new Date().toISOString().slice(0, 10),
    machine: machineName(),
    options: options.join(' '),
    ratios: rounded(ratios),
    figures: rounded(figures),
  }
  const runs = [...readKept(bench), run].slice(-RUNS_MAX)
  fs.mkdirSync(path.dirname(keptFile(bench)), { recursive: true })
  fs.writeFileSync(keptFile(bench), `${JSON.stringify(runs, null, 2)}\n`)
}

/** "AMD EPYC 7B13 × 2, 24 GiB, Node.js 20.20.0, Linux 6.1". */
function machineName(): string {
  const processors = os.cpus()
  const gib = Math.round(os.totalmem() / 2 ** 30)
  const system = `${os.type()} ${os.release().split('.').slice(0, 2).join('.')}`
  const node = `Node.js ${process.versions.node}`
  return `${processors[0]?.model.trim()} × ${processors.length}, ${gib} GiB, ${node}, ${system}`
}

/** More than six digits are noise. */
function rounded<T extends number | string>(
  values: Readonly<Record<string, T>>,
): Record<string, T> {
  const short = (value: T) => (typeof value === 'number' ? Number(value.toPrecision(6)) : value)
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, short(value) as T]),
  )
}
