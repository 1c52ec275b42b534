/** Writes the file of a first venue: asked of a person at the terminal, or given by flags. */
import { writeFileSync } from 'node:fs'
import { fileFault } from '../base/file-fault.ts'
import { NAME_CHARS } from '../market/listed-name.ts'
import { ownCommand } from './invocation.ts'
import type { Terminal } from './terminal.ts'

/** Why nothing was written: one sentence. */
export class InitError extends Error {
  override readonly name = 'InitError'
}

interface InitQuestion {
  readonly flag: string
  readonly question: string
  readonly usual: string
  readonly pattern: RegExp
  readonly wanted: string
}

const PAIR = `[${NAME_CHARS}]{1,20}/[${NAME_CHARS}]{1,20}`
const DECIMAL = /^[0-9]{1,12}(\.[0-9]{1,8})?$/

/** What a first venue needs, in the order of asking. */
export const initQuestions: readonly InitQuestion[] = [
  {
    flag: 'symbols',
    question: 'Which symbols, as BTC/USDT, with commas',
    usual: 'BTC/USDT',
    pattern: new RegExp(`^${PAIR}(,${PAIR}){0,199}$`, 'u'),
    wanted: 'pairs of assets in capital letters, such as BTC/USDT,ETH/USDT',
  },
  {
    flag: 'tick',
    question: 'The smallest step of prices',
    usual: '0.01',
    pattern: DECIMAL,
    wanted: 'a decimal such as 0.01',
  },
  {
    flag: 'step',
    question: 'The smallest step of quantities',
    usual: '0.00001',
    pattern: DECIMAL,
    wanted: 'a decimal such as 0.00001',
  },
  {
    flag: 'accounts',
    question: 'Which accounts, with commas',
    usual: 'alice,bob',
    pattern: /^[A-Za-z0-9_.-]{1,32}(,[A-Za-z0-9_.-]{1,32}){0,199}$/,
    wanted: 'names of letters, digits, _ . and -, with commas',
  },
  {
    flag: 'maker',
    question: 'The share that makers pay',
    usual: '0.001',
    pattern: DECIMAL,
    wanted: 'a share such as 0.001',
  },
  {
    flag: 'taker',
    question: 'The share that takers pay',
    usual: '0.001',
    pattern: DECIMAL,
    wanted: 'a share such as 0.001',
  },
]

/**
 * Takes what the flags say, asks the terminal for the rest, or takes what is usual, and writes `file`,
 * which must not exist. Returns what to do next. Rejects with InitError.
 */
export async function initVenue(
  file: string,
  flags: ReadonlyMap<string, string>,
  terminal: Terminal | undefined,
): Promise<string> {
  const given = new Map<string, string>()
  for (const row of initQuestions) given.set(row.flag, await valueFor(row, flags, terminal))
  try {
    writeFileSync(file, venueText(given), { flag: 'wx' })
  } catch (error) {
    throw new InitError(`The file ${file} cannot be written: ${fileFault(error)}.`)
  }
  const first = given.get('accounts')!.split(',')[0]
  const command = ownCommand()
  return `${file} describes the venue. Next, with FOLDER as the data folder:

  ${command} start --demo off --data FOLDER    # an empty exchange; the rest in another terminal
  ${command} venue apply ${file} --dry-run --data FOLDER
  ${command} venue apply ${file} --data FOLDER
  ${command} key-create ${first} --data FOLDER    # the secret is shown once
  ${command} deposit ${first} ASSET AMOUNT --data FOLDER
`
}

async function valueFor(
  { flag, question, usual, pattern, wanted }: InitQuestion,
  flags: ReadonlyMap<string, string>,
  terminal: Terminal | undefined,
): Promise<string> {
  const set = flags.get(flag)
  const asked = set ?? (await terminal?.ask(`${question} [${usual}]: `)) ?? ''
  const text = asked.replaceAll(' ', '') || usual
  if (pattern.test(text)) return text
  throw new InitError(`${flag} must be ${wanted}; it is ${text}.`)
}

function venueText(given: ReadonlyMap<string, string>): string {
  const pairs = given
    .get('symbols')!
    .split(',')
    .map((pair) => pair.split('/') as [string, string])
  const assets = [...new Set(pairs.flat())].map((name) => `"${name}"`)
  const symbols = pairs.map(
    ([base, quote]) => `[symbols."${base}${quote}"]
base = "${base}"
quote = "${quote}"
template = "spot"
tick = "${given.get('tick')}"
step = "${given.get('step')}"
`,
  )
  const accounts = given
    .get('accounts')!
    .split(',')
    .map(
      (name) => `[accounts."${name}"]
maker = "${given.get('maker')}"
taker = "${given.get('taker')}"
`,
    )
  return `# Applied as a whole by "ringbook venue apply"; what it does not name stays as it is.
assets = [${assets.join(', ')}]

${[...symbols, ...accounts].join('\n')}`
}
