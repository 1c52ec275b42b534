/**
 * Reads command lines: `--name value`, `--name=value`, switches without a value, and words. Settings,
 * operator actions, tools and benches all have theirs read here, by parseArgs.
 */
import { parseArgs } from 'node:util'
import { didYouMean } from '../base/cold-input.ts'

/** Keeps parseArgs from taking -5 for a flag of one letter. */
const ESCAPE = ' '
const SEE_HELP = ' See --help.'

export interface Grammar {
  /** Flags that take a value. Without a list every name is one; the caller judges it. */
  readonly flags?: readonly string[]
  /** Flags without a value. */
  readonly switches?: readonly string[]
  /** Flags whose value may be left out, which is '' then; it follows `=`. */
  readonly optional?: readonly string[]
  /** By letter, flags that may be given as `-o value`. */
  readonly short?: Readonly<Record<string, string>>
  /** Whether arguments may stand alone, as words. */
  readonly hasWords?: boolean
  /** Flags whose values add up when they are repeated, separated by commas. */
  readonly lists?: readonly string[]
  /** Whether other flags may be repeated, so that scripts can add to a line; the last value counts. */
  readonly mayRepeat?: boolean
}

export interface CommandLine {
  readonly flags: ReadonlyMap<string, string>
  readonly switches: ReadonlySet<string>
  readonly words: readonly string[]
}

/**
 * Returns the parts of a command line. Throws a `Refusal` with one sentence when a flag is unknown,
 * lacks its value or stands twice where it may not, or when a word is out of place. A value may begin
 * with a hyphen, as -5 does.
 */
export function readCommandLine(
  args: readonly string[],
  grammar: Grammar,
  Refusal: new (message: string) => Error,
): CommandLine {
  const { flags: known, switches: withoutValue = [], lists = [], optional = [] } = grammar
  const { hasWords = false, mayRepeat = false, short = {} } = grammar
  const own = known ?? args.filter((arg) => arg.startsWith('--')).map(nameOf)
  const named = [...own, ...Object.values(short)]
  const isFlag = (arg: string) => !/^-[^-]/.test(arg) || short[arg[1]!] !== undefined
  const { tokens } = parseArgs({
    args: args.map((arg) => (isFlag(arg) ? arg : `${ESCAPE}${arg}`)),
    options: Object.fromEntries([
      ...named.map((name) => [name, { type: 'string' as const }]),
      ...Object.entries(short).map(([letter, name]) => [
        name,
        { type: 'string' as const, short: letter },
      ]),
      ...[...withoutValue, ...optional].map((name) => [name, { type: 'boolean' as const }]),
    ]),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const flags = new Map<string, string>()
  const switches = new Set<string>()
  const words: string[] = []
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue
    if (token.kind === 'positional') {
      const word = args[token.index]!
      if (!hasWords) throw new Refusal(`${word} is not a flag.${SEE_HELP}`)
      words.push(word)
      continue
    }
    const { name, inlineValue } = token
    const usual = optional.includes(name) ? '' : undefined
    const value = inlineValue === false ? args[token.index + 1] : (token.value ?? usual)
    if (withoutValue.includes(name)) {
      if (value !== undefined) throw new Refusal(`--${name} takes no value.`)
      switches.add(name)
      continue
    }
    const all = [...named, ...optional]
    if (!all.includes(name)) {
      const hint = didYouMean(name, [...all, ...withoutValue], '--') || SEE_HELP
      throw new Refusal(`--${name} is not a known flag.${hint}`)
    }
    if (value === undefined) throw new Refusal(`--${name} needs a value.`)
    const before = lists.includes(name) ? flags.get(name) : undefined
    if (before === undefined && flags.has(name) && !mayRepeat)
      throw new Refusal(`--${name} is given twice.`)
    flags.set(name, before === undefined ? value : `${before},${value}`)
  }
  return { flags, switches, words }
}

/**
 * Returns the first word of a line and the values of flags, whatever else is wrong with the line. Only the
 * given flags take the next argument as their value.
 */
export function glance(
  args: readonly string[],
  { flags = [], short = {} }: Pick<Grammar, 'flags' | 'short'>,
): { readonly word: string | undefined; readonly flags: ReadonlyMap<string, string> } {
  const letters = Object.entries(short).map(([letter, name]) => [name, { short: letter }] as const)
  const shorts = Object.fromEntries(letters)
  const { values, positionals } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      flags.map((name) => [name, { type: 'string' as const, ...shorts[name] }]),
    ),
    strict: false,
    allowPositionals: true,
  })
  const given = Object.entries(values).filter((entry): entry is [string, string] => {
    return typeof entry[1] === 'string'
  })
  return { word: positionals[0], flags: new Map(given) }
}

const nameOf = (flag: string): string => flag.slice(2).split('=', 1)[0]!
