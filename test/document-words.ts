/** The commands, flags and names that documents show in backticks and in blocks of code. */

/** A command as a document shows it, on one line. */
export interface ShownCommand {
  readonly words: readonly string[]
  readonly line: string
}

const FENCE = /^```(\w*)\n([\s\S]*?)^```/gm
/** Blocks whose lines are commands. */
const SHELLS = ['sh', 'bash']

/** Returns the text without blocks of code. */
export const proseOf = (text: string): string => text.replaceAll(FENCE, '')

/** Returns what stands in backticks in the prose. */
export const quotesOf = (text: string): readonly string[] =>
  [...proseOf(text).matchAll(/`([^`]+)`/g)].map(([, quote = '']) => quote)

const blocksOf = (text: string, languages: readonly string[]): readonly string[] =>
  [...text.matchAll(FENCE)]
    .filter(([, language = '']) => languages.includes(language))
    .map(([, , block = '']) => block)

/** Returns every command that begins with `npm`, `npx` or `ringbook`, in blocks and in backticks. */
export function commandsOf(text: string): readonly ShownCommand[] {
  const lines = blocksOf(text, SHELLS).flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'))
  return [...lines, ...quotesOf(text)]
    .map((line) => line.replace(/\s#.*$/, ''))
    .flatMap((line) => line.split(/&&|\|\||[|;()]/))
    .map((line) => line.trim().replace(/^(sudo|podman exec \S+|exec) /, ''))
    .filter((line) => /^(npm|npx|ringbook) /.test(line))
    .map((line) => ({ line, words: line.split(/\s+/) }))
}

/** Returns the names of the flags among the words. */
export const flagsOf = (words: readonly string[]): readonly string[] =>
  words.flatMap((word) => /^'?--([a-z][a-z-]*)/.exec(word)?.[1] ?? [])

/** Returns the paths of this project that blocks of commands name. */
export const pathsOf = (text: string): readonly string[] =>
  blocksOf(text, SHELLS)
    .flatMap((block) => [...block.matchAll(/(?<![\w/.-])[\w.-]+(?:\/[\w.-]+)+/g)])
    .map(([path]) => path)
    .filter((path) => /^(src|test|scripts|bench|native-bench|docs|examples)\//.test(path))
