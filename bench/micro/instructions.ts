/**
 * `npm run bench -- instructions [--commands 300000] [--rounds 4]`: the instructions that one command of
 * the benches `book` and `engine` takes, beside those of the C++ book, as valgrind's callgrind counts them.
 * A count is the same on a busy machine as on a quiet one, within one in a hundred, where times of the same
 * program differ by a third. It knows nothing of caches and branches: a change that it shows
 * still has to show in `book` or `engine`. Needs the program valgrind; takes about a minute.
 *
 * Ours warms up while nothing is counted, then runs `rounds` times. Between two runs it takes what rests off
 * the book, which counts too: one order for some eighty commands. The C++ book is counted once and twice, and
 * the difference is what counts.
 */
import { execFile, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import type { Flags, SettingsOf } from '../harness/flags.ts'
import { buildNative } from '../harness/native.ts'
import { type BenchResult, printTable } from '../harness/report.ts'
import { bookCommandsFile, generateBookCommands } from '../workloads/book-commands.ts'

export const flags = { commands: 300_000, rounds: 4 } as const satisfies Flags

/** What the peer runs. */
export type Counted = 'book' | 'engine'
/** The peer's line when it has warmed up. It runs when it reads a line, and ends. */
export const WARM = 'warm'

const CALLGRIND = ['--tool=callgrind', '--callgrind-out-file=/dev/null']
/** V8 writes code into memory, and compiles on the thread that runs, so that nothing else is counted. */
const OURS = ['--smc-check=all-non-file', '--instr-atstart=no', process.execPath]
const NODE = ['--single-threaded']
const COLLECTED = /Collected : (\d+)/

export async function run(settings: SettingsOf<typeof flags>): Promise<BenchResult> {
  const { commands, rounds } = settings
  const book = await countOurs('book', settings)
  const engine = await countOurs('engine', settings)
  const twin = await countTwin(commands)
  printTable('instructions of one command', [
    ['', 'instructions'],
    ['book', Math.round(book)],
    ['engine', Math.round(engine)],
    ['C++ book', Math.round(twin)],
  ])
  return {
    ratios: { bookOverTwin: book / twin, engineOverTwin: engine / twin },
    figures: {
      bookInstructions: Math.round(book),
      engineInstructions: Math.round(engine),
      twinInstructions: Math.round(twin),
      commands,
      rounds,
    },
  }
}

async function countOurs(
  what: Counted,
  { commands, rounds }: SettingsOf<typeof flags>,
): Promise<number> {
  const peer = path.join(import.meta.dirname, 'instructions-peer.js')
  const args = [...CALLGRIND, ...OURS, ...NODE, peer, what, String(commands), String(rounds)]
  const child = valgrind(args, { stdio: ['pipe', 'pipe', 'pipe'] })
  const collected = text(child.stderr!)
  const said = await Promise.race([once(child.stdout!, 'data'), collected])
  if (String(said) !== `${WARM}\n`) throw new Error(`the peer ended early: ${said}`)
  await promisify(execFile)('callgrind_control', ['-i', 'on', String(child.pid)])
  child.stdin!.end('\n')
  return countOf(await collected) / (rounds * commands)
}

async function countTwin(count: number): Promise<number> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-bench-'))
  try {
    const file = path.join(folder, 'book-commands.bin')
    writeFileSync(file, bookCommandsFile(generateBookCommands({ count })))
    const twin = path.join(await buildNative(), 'book-twin')
    const counts: number[] = []
    for (const rounds of ['1', '2']) {
      const child = valgrind([...CALLGRIND, twin, file, rounds, '0'], {
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      counts.push(countOf(await text(child.stderr!)))
    }
    return (counts[1]! - counts[0]!) / count
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function valgrind(args: readonly string[], options: SpawnOptions) {
  const child = spawn('valgrind', args, options)
  once(child, 'error').catch(() => {
    process.stderr.write('valgrind did not start: install it, as with apt-get install valgrind\n')
    process.exit(1)
  })
  return child
}

function countOf(printed: string): number {
  const count = COLLECTED.exec(printed)?.[1]
  if (count === undefined) throw new Error(`valgrind counted nothing: ${printed}`)
  return Number(count)
}
