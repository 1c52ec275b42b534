/**
 * The frame of runs that try an exchange by faults from a seed (chaos, power, siege): the seed, a
 * folder that stays after a run that found something, progress, the report and the exit code.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Progress } from './progress.ts'
import {
  type Flag,
  oneOf,
  readFlags,
  runTool,
  type Tool,
  type Values,
  wholeNumber,
} from './tool.ts'

const FINDINGS_SHOWN = 20
/** Seeds stay readable, and are others in every run. */
const SEEDS = 2 ** 31

export const SEED_FLAG = { value: 'N', about: 'Of what happens; else one that is printed' } as const
export const DURABILITY_FLAG = {
  value: 'HOW',
  about: 'One of flushed, committed',
  default: 'flushed',
} as const
export const durabilityOf = (text: string) => oneOf('durability', text, ['flushed', 'committed'])

/** The seed that a flag gives, or another one. */
export const seedOf = (given: string | undefined): number =>
  wholeNumber('seed', given ?? String((Date.now() % SEEDS) + 1))

export interface Trial {
  readonly seed: number
  /** For data and logs. */
  readonly folder: string
  /** Prints the seed and what begins. */
  begin(what: string): void
  /** Shows how much of `total` is done each time that what it returns is called. */
  progress(unit: string, total: number): () => void
}

export interface Outcome {
  /** For people; they stand before the findings. */
  readonly lines: readonly string[]
  /** What was lost, undone or impossible, in sentences. */
  readonly findings: readonly string[]
  /** For programs, in the last line. */
  readonly figures: object
  /** Whether the run is well; by default, when it found nothing. */
  readonly isWell?: boolean
  /** Further folders, which stay or go as the trial's own does. */
  readonly folders?: readonly string[]
}

/** Runs the tool. Exit code 0 when its run was well. */
export function runTrial<const F extends Readonly<Record<string, Flag>>>(
  tool: Tool<F & { readonly seed: typeof SEED_FLAG }>,
  work: (values: Values<F>, trial: Trial) => Outcome | Promise<Outcome>,
): Promise<void> {
  return runTool(async (args) => {
    const values = readFlags(tool, args)
    if (values === undefined) return true
    const trial = new RunningTrial(tool.name, seedOf(values.seed))
    return trial.end(await work(values, trial))
  })
}

const print = (line: string): boolean => process.stdout.write(`${line}\n`)

class RunningTrial implements Trial {
  readonly seed: number
  private readonly name: string
  private _folder = ''
  private shownProgress: Progress | undefined = undefined

  constructor(name: string, seed: number) {
    this.seed = seed
    this.name = name
  }

  /** Made at its first use: wrong flags leave nothing behind. */
  get folder(): string {
    this._folder ||= mkdtempSync(path.join(os.tmpdir(), `ringbook-${this.name}-`))
    return this._folder
  }

  begin(what: string): void {
    print(`seed ${this.seed}, ${what}`)
  }

  progress(unit: string, total: number): () => void {
    const progress = new Progress(unit, total)
    this.shownProgress = progress
    return () => progress.advance(1)
  }

  end({
    lines,
    findings,
    figures,
    folders = [],
    isWell = findings.length === 0,
  }: Outcome): boolean {
    this.shownProgress?.end()
    for (const line of [...lines, ...findings.slice(0, FINDINGS_SHOWN)]) print(line)
    const report = { seed: this.seed, ...figures, findings: findings.length, isWell }
    print(JSON.stringify({ [this.name]: report }))
    const kept = [...folders, this.folder]
    if (isWell) for (const folder of kept) rmSync(folder, { recursive: true, force: true })
    else print(`Kept: ${kept.join(', ')}; seed ${this.seed}`)
    return isWell
  }
}
