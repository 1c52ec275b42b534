/** What the tools of `npm run` share: flags with `--help`, and the sentence of one that cannot do its work. */
import { mkdtempSync, rmdirSync } from 'node:fs'
import path from 'node:path'
import { fileFault } from '../../src/base/file-fault.ts'
import { readCommandLine } from '../../src/config/command-line.ts'
import { UsageError } from './usage-error.ts'

export interface Flag {
  /** What stands for its value in the help; a flag without one is "on" when it is given. */
  readonly value?: string
  readonly about: string
  readonly default?: string
}

export interface Tool<F extends Readonly<Record<string, Flag>>> {
  /** As `npm run` knows it. */
  readonly name: string
  readonly about: string
  readonly flags: F
}

export type Values<F> = {
  [K in keyof F]: F[K] extends { default: string } ? string : string | undefined
}

/** Undefined when help was requested, which is printed then. Throws UsageError. */
export function readFlags<const F extends Readonly<Record<string, Flag>>>(
  tool: Tool<F>,
  args: string[],
): Values<F> | undefined {
  const all = Object.entries<Flag>(tool.flags)
  const named = (isSwitch: boolean) =>
    all.filter(([, { value }]) => (value === undefined) === isSwitch).map(([name]) => name)
  const grammar = { mayRepeat: true, flags: named(false), switches: ['help', ...named(true)] }
  const { flags, switches } = readCommandLine(args, grammar, UsageError)
  if (!switches.has('help')) {
    const given = (name: string) => (switches.has(name) ? 'on' : flags.get(name))
    return Object.fromEntries(
      all.map(([name, { default: usual }]) => [name, given(name) ?? usual]),
    ) as Values<F>
  }
  process.stdout.write(helpOf(tool))
  return undefined
}

function helpOf({ name, about, flags }: Tool<Readonly<Record<string, Flag>>>): string {
  const heads = Object.entries(flags).map(([flag, { value = '' }]) =>
    `--${flag} ${value}`.trimEnd(),
  )
  const width = Math.max(...heads.map((head) => head.length))
  const lines = Object.values(flags).map(({ about: text, default: usual }, i) => {
    const end = usual === undefined ? '.' : ` (default ${usual}).`
    return `  ${heads[i]!.padEnd(width)}  ${text}${end}`
  })
  return `${about}\n\nUsage: npm run ${name} -- [flags]\n\n${lines.join('\n')}\n`
}

/** Throws UsageError unless it is a whole number of `least` or more. */
export function wholeNumber(flag: string, text: string, least = 1): number {
  const value = text === '' ? Number.NaN : Number(text)
  if (Number.isSafeInteger(value) && value >= least) return value
  throw new UsageError(`--${flag} must be a whole number of at least ${least}; it is ${text}.`)
}

/** Throws UsageError unless it is one of them. */
export function oneOf<const T extends string>(
  flag: string,
  text: string,
  choices: readonly T[],
): T {
  const chosen = choices.find((choice) => choice === text)
  if (chosen !== undefined) return chosen
  const found = text === '' ? '' : `; it is ${text}`
  throw new UsageError(`--${flag} must be one of ${choices.join(', ')}${found}.`)
}

/** Before long work whose report is written there: tries it, and throws UsageError when it fails. */
export function checkWritable(flag: string, folder: string): void {
  try {
    rmdirSync(mkdtempSync(path.join(folder, 'probe-')))
  } catch (error) {
    throw new UsageError(`--${flag} cannot be written: ${fileFault(error)}.`)
  }
}

/** Exit code 0 when `work` returns true, else 1. Prints a UsageError's sentence, else the stack. */
export async function runTool(work: (args: string[]) => Promise<boolean> | boolean): Promise<void> {
  try {
    if (!(await work(process.argv.slice(2)))) process.exitCode = 1
  } catch (error) {
    const { message, stack } = error as Error
    process.stderr.write(`${error instanceof UsageError ? message : stack}\n`)
    process.exitCode = 1
  }
}
