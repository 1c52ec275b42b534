/**
 * Reads command lines: `--name value`, `--name=value`, switches without a value, and words. Settings,
 * operator acts, tools and benches all have theirs read here, by parseArgs.
 */
import { parseArgs } from 'node:util'

/** Keeps parseArgs from taking -5 for a flag of one letter. */
const ESCAPE = ' '

export interface Grammar {
  /** Flags that take a value. Without a list every name is one; the caller judges it. */
  readonly flags?: readonly string[]
  /** Flags without a value. */
  readonly switches?: readonly string[]
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
  const { flags: known, switches: withoutValue = [], lists = [] } = grammar
  const { hasWords = false, mayRepeat = false } = grammar
  const named = known ?? args.filter((arg) => arg.startsWith('--')).map(nameOf)
  const { tokens } = parseArgs({
    args: args.map((arg) => (/^-[^-]/.test(arg) ? `${ESCAPE}${arg}` : arg)),
    options: Object.fromEntries([
      ...named.map((name) => [name, { type: 'string' as const }]),
      ...withoutValue.map((name) => [name, { type: 'boolean' as const }]),
    ]),
    ...{ strict: false, allowPositionals: true, tokens: true },
  })
  const flags = new Map<string, string>()
  const switches = new Set<string>()
  const words: string[] = []
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue
    if (token.kind === 'positional') {
      const word = args[token.index]!
      if (!hasWords) throw new Refusal(`${word} is not a flag; see --help.`)
      words.push(word)
      continue
    }
    const { name, inlineValue } = token
    const value = inlineValue === false ? args[token.index + 1] : token.value
    if (withoutValue.includes(name)) {
      if (value !== undefined) throw new Refusal(`--${name} takes no value.`)
      switches.add(name)
      continue
    }
    if (!named.includes(name)) throw new Refusal(`--${name} is not a known flag; see --help.`)
    if (value === undefined) throw new Refusal(`--${name} needs a value.`)
    const before = lists.includes(name) ? flags.get(name) : undefined
    if (before === undefined && flags.has(name) && !mayRepeat)
      throw new Refusal(`--${name} is given twice.`)
    flags.set(name, before === undefined ? value : `${before},${value}`)
  }
  return { flags, switches, words }
}

const nameOf = (flag: string): string => flag.slice(2).split('=', 1)[0]!
