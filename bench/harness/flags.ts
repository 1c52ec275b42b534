/** The flags of a bench: they are named, with their defaults, beside its `run`. */
import { wholeNumber } from '../../scripts/command-line/tool.ts'
import { UsageError } from '../../scripts/command-line/usage-error.ts'
import { readCommandLine } from '../../src/config/command-line.ts'

/** A default, whose kind is that of the flag's values: one whole number above 0, or several. */
type Flag = number | readonly number[] | { readonly usual: number; readonly mayBeZero: true }

/** By name: `capacitySeconds` is given as `--capacity-seconds`. */
export type Flags = Readonly<Record<string, Flag>>

export type SettingsOf<F extends Flags> = {
  readonly [Name in keyof F]: F[Name] extends readonly number[] ? readonly number[] : number
}

/** Undefined when help is asked for, which is printed then. Throws UsageError. */
export function readSettings<const F extends Flags>(
  flags: F,
  args: readonly string[],
): SettingsOf<F> | undefined {
  const grammar = { flags: Object.keys(flags).map(spelled), switches: ['help'] }
  const line = readCommandLine(args, grammar, UsageError)
  if (line.switches.has('help')) {
    process.stdout.write(helpOf(flags))
    return undefined
  }
  const settings = Object.entries(flags).map(([name, flag]) => {
    return [name, settingOf(flag, spelled(name), line.flags.get(spelled(name)))]
  })
  return Object.fromEntries(settings)
}

function helpOf(flags: Flags): string {
  const rows = Object.entries(flags).map(([name, flag]) => {
    return `  --${spelled(name)} ${settingOf(flag, name, undefined)}\n`
  })
  return `The flags of this bench, with their defaults:\n${rows.join('')}`
}

const spelled = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function settingOf(flag: Flag, name: string, text: string | undefined): number | readonly number[] {
  if (text === undefined) return typeof flag === 'object' && 'usual' in flag ? flag.usual : flag
  if (typeof flag === 'number') return wholeNumber(name, text)
  if ('usual' in flag) return wholeNumber(name, text, 0)
  return text.split(',').map((item) => wholeNumber(name, item))
}
