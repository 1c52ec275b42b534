/**
 * `npm run sim -- --hours 8`: the simulators in turns, each on its own seed, for that long or
 * until one fails. `--simulator NAME --seed N` runs one seed again. Exit code 1 on a failure, whose
 * seed is printed with the command that reproduces it.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { spanText } from '../../scripts/command-line/progress.ts'
import { oneOf, readFlags, runTool, wholeNumber } from '../../scripts/command-line/tool.ts'
import { UsageError } from '../../scripts/command-line/usage-error.ts'
import { collectGarbage } from './collect-garbage.ts'
import { runSeed, type Simulator, simulatorNamed, simulators } from './simulators.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const PROGRESS_MS = 10_000
/** Seeds stay readable, and are others in every run. */
const SEEDS = 2 ** 31

const tool = {
  name: 'sim',
  about: 'Simulates until the time is over or a seed fails, which is printed.',
  flags: {
    minutes: { value: 'N', about: 'How long', default: '1' },
    hours: { value: 'N', about: 'How long, instead of --minutes' },
    simulator: { value: 'NAME', about: `One of ${simulators.map((it) => it.name).join(', ')}` },
    seed: { value: 'N', about: 'This one alone, again' },
  },
} as const

/** Throws UsageError unless it is a number above zero. */
function positive(flag: string, text: string): number {
  const value = Number(text)
  if (value > 0) return value
  throw new UsageError(`--${flag} must be a number above 0; it is ${text}.`)
}

async function run(args: string[]): Promise<boolean> {
  const values = readFlags(tool, args)
  if (values === undefined) return true
  const { hours, minutes, seed, simulator } = values
  const names = simulators.map((it) => it.name)
  const chosen =
    simulator === undefined ? simulators : [simulatorNamed(oneOf('simulator', simulator, names))]
  if (seed !== undefined) {
    const first = wholeNumber('seed', seed)
    let isGood = true
    for (const it of chosen) {
      isGood = isGood && (await runOne(it, first))
      if (isGood) process.stdout.write(`${it.name}: seed ${first}, ${it.steps} steps, no failure\n`)
    }
    return isGood
  }
  const forMs =
    hours === undefined
      ? positive('minutes', minutes) * MINUTE_MS
      : positive('hours', hours) * HOUR_MS
  return runFor(chosen, forMs)
}

async function runFor(chosen: readonly Simulator[], forMs: number): Promise<boolean> {
  const beganMs = performance.now()
  const first = (Date.now() % (SEEDS / 2)) + 1
  let shownMs = beganMs
  let steps = 0
  let seeds = 0
  for (let nowMs = beganMs; nowMs - beganMs < forMs; nowMs = performance.now()) {
    const simulator = chosen[seeds % chosen.length]!
    if (!(await runOne(simulator, first + seeds))) return false
    // V8 lets go of what was reached through weak references only when the event loop turns.
    await turn()
    collectGarbage()
    seeds++
    steps += simulator.steps
    if (performance.now() - shownMs < PROGRESS_MS) continue
    shownMs = performance.now()
    const percent = Math.min(100, Math.floor(((shownMs - beganMs) / forMs) * 100))
    const seconds = (shownMs - beganMs) / 1000
    const left = spanText(Math.max(0, Math.ceil(forMs / 1000 - seconds)))
    const rate = Math.round(steps / seconds)
    process.stderr.write(
      `${percent} %: ${seeds} seeds, ${steps} steps, ${rate}/s, none failed, ${left} left\n`,
    )
  }
  process.stdout.write(`${seeds} seeds from ${first} on, ${steps} steps, none failed\n`)
  return true
}

async function runOne(simulator: Simulator, seed: number): Promise<boolean> {
  try {
    await runSeed(simulator, seed)
    return true
  } catch (error) {
    const { message, cause } = error as Error
    process.stdout.write(`${message}\n${(cause as Error | undefined)?.stack ?? ''}\n`)
    process.stdout.write(`Again: npm run sim -- --simulator ${simulator.name} --seed ${seed}\n`)
    return false
  }
}

await runTool(run)
