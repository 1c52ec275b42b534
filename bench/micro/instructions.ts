/**
 * `npm run bench -- instructions [--commands 300000] [--rounds 4]`: the instructions that one command of
 * the benches `book` and `engine` takes, beside those of the C++ book, as valgrind's callgrind counts them
 * (harness/callgrind.ts). A change that it shows still has to show in `book` or `engine`. Also those that the encoders of
 * JSON and of SBE take for a book. Needs the program valgrind; takes about a minute.
 *
 * Ours warms up while nothing is counted, then runs `rounds` times. Between two runs it takes what rests off
 * the book, which counts too: one order for some eighty commands. The C++ book is counted once and twice, and
 * the difference is what counts.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { Callgrind } from '../harness/callgrind.ts'
import type { Flags, SettingsOf } from '../harness/flags.ts'
import { buildNative } from '../harness/native.ts'
import { type BenchResult, printTable } from '../harness/report.ts'
import { bookCommandsFile, generateBookCommands } from '../workloads/book-commands.ts'

export const flags = { commands: 300_000, rounds: 4 } as const satisfies Flags

/** What the peer runs: commands, or encoders of books. */
export type Counted = 'book' | 'engine' | 'json' | 'sbe'
/** Levels of a book that encoders write, and books of a round. */
export const BOOK_LEVELS = 1_000
export const BOOKS = 50
/** The peer's line when it has warmed up. It runs when it reads a line, and ends. */
export const WARM = 'warm'

export async function run(settings: SettingsOf<typeof flags>): Promise<BenchResult> {
  const { commands, rounds } = settings
  const callgrind = new Callgrind()
  try {
    const book = (await countOurs(callgrind, 'book', settings)) / commands
    const engine = (await countOurs(callgrind, 'engine', settings)) / commands
    const json = (await countOurs(callgrind, 'json', settings)) / BOOKS
    const sbe = (await countOurs(callgrind, 'sbe', settings)) / BOOKS
    const twin = await countTwin(callgrind, commands)
    printTable('instructions of one command', [
      ['', 'instructions'],
      ['book', Math.round(book)],
      ['engine', Math.round(engine)],
      ['C++ book', Math.round(twin)],
    ])
    printTable(`instructions of a book of ${BOOK_LEVELS} levels`, [
      ['', 'instructions'],
      ['JSON', Math.round(json)],
      ['SBE', Math.round(sbe)],
    ])
    return {
      ratios: {
        bookOverTwin: book / twin,
        engineOverTwin: engine / twin,
        sbeOverJson: sbe / json,
      },
      figures: {
        bookInstructions: Math.round(book),
        engineInstructions: Math.round(engine),
        twinInstructions: Math.round(twin),
        jsonBookInstructions: Math.round(json),
        sbeBookInstructions: Math.round(sbe),
        commands,
        rounds,
      },
    }
  } finally {
    callgrind.close()
  }
}

async function countOurs(
  callgrind: Callgrind,
  what: Counted,
  { commands, rounds }: SettingsOf<typeof flags>,
): Promise<number> {
  const peer = path.join(import.meta.dirname, 'instructions-peer.js')
  const [valgrind, ...args] = callgrind.nodeCommand()
  const child = spawn(valgrind!, [...args, peer, what, String(commands), String(rounds)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const [said] = await Promise.race([once(child.stdout, 'data'), ended])
  if (String(said) !== `${WARM}\n`) throw new Error(`the peer ended early: ${said}`)
  await callgrind.begin(child.pid!)
  child.stdin.end('\n')
  await ended
  return sum(callgrind.ended()) / rounds
}

async function countTwin(callgrind: Callgrind, count: number): Promise<number> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-bench-'))
  try {
    const file = path.join(folder, 'book-commands.bin')
    writeFileSync(file, bookCommandsFile(generateBookCommands({ count })))
    const twin = path.join(await buildNative(), 'book-twin')
    const [valgrind, ...args] = callgrind.command()
    const counts: number[] = []
    for (const rounds of ['1', '2']) {
      await promisify(execFile)(valgrind!, [...args, twin, file, rounds, '0'])
      counts.push(sum(callgrind.ended()))
    }
    return (counts[1]! - counts[0]!) / count
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)
