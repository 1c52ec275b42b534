/** What a bench may be told: its flags are named, with their defaults, beside its `run`. */
import type { ParseArgsConfig } from 'node:util'
import { parseFlags, wholeNumber } from '../../scripts/command-line/tool.ts'

/** A default, which says as well what may stand in its place: one whole number above 0, or several. */
type Flag = number | readonly number[] | { readonly usual: number; readonly mayBeZero: true }

/** By name, of which `capacitySeconds` is given as `--capacity-seconds`. */
export type Flags = Readonly<Record<string, Flag>>

export type SettingsOf<F extends Flags> = {
  readonly [Name in keyof F]: F[Name] extends readonly number[] ? readonly number[] : number
}

/** Throws UsageError unless each is a flag of the bench, and has a value that it may have. */
export function readSettings<const F extends Flags>(flags: F, args: string[]): SettingsOf<F> {
  const text = { type: 'string' } as const
  const options: ParseArgsConfig['options'] = Object.fromEntries(
    Object.keys(flags).map((name) => [spelled(name), text]),
  )
  const values = parseFlags(args, options)
  const settings = Object.entries(flags).map(([name, flag]) => {
    return [name, settingOf(flag, spelled(name), values[spelled(name)] as string | undefined)]
  })
  return Object.fromEntries(settings)
}

const spelled = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function settingOf(flag: Flag, name: string, text: string | undefined): number | readonly number[] {
  if (text === undefined) return typeof flag === 'object' && 'usual' in flag ? flag.usual : flag
  if (typeof flag === 'number') return wholeNumber(name, text)
  if ('usual' in flag) return wholeNumber(name, text, 0)
  return text.split(',').map((item) => wholeNumber(name, item))
}
