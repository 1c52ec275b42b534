/** Runs cells of the table side by side, each on a copy of the full folder, in processes that LMDB may end. */
import { type ChildProcess, fork } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { CellOrder, CellReport } from './cells.ts'
import type { Damage } from './damages.ts'
import { copyOf, type FullFolder } from './full-folder.ts'
import type { Portrait, Sitters } from './portrait.ts'

const PROGRAM = path.resolve('dist/test/replay/damage/cells.js')
const PROCESSES = 2
/** Starts of an archive that LMDB ends the process over; the last makes another. */
const STARTS_MAX = 4

export interface Cell {
  readonly file: string
  readonly damage: Damage
}

export interface CellOutcome extends Cell {
  readonly verified: CellReport | string
  /** Report of the start that did not end the process, or what ended it. */
  readonly started: CellReport | string
  readonly starts: number
}

export async function runCells(
  cells: readonly Cell[],
  full: FullFolder,
  sitters: Sitters,
  folder: string,
): Promise<readonly CellOutcome[]> {
  const waiting = [...cells.entries()]
  const outcomes: CellOutcome[] = []
  const work = async (index: number) => {
    const runner = new CellRunner()
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [number, cell] = next
        const own = path.join(folder, `cell-${index}`)
        outcomes[number] = await runCell(cell, runner, full, sitters, own)
      }
    } finally {
      runner.close()
    }
  }
  await Promise.all(Array.from({ length: PROCESSES }, (_, index) => work(index)))
  return outcomes
}

async function runCell(
  cell: Cell,
  runner: CellRunner,
  full: FullFolder,
  sitters: Sitters,
  folder: string,
): Promise<CellOutcome> {
  fs.rmSync(folder, { recursive: true, force: true })
  copyOf(full.data, folder)
  cell.damage.strike(folder)
  const verified = await runner.run({ ...sitters, folder, step: 'verify' })
  let starts = 0
  let started: CellReport | string
  do {
    started = await runner.run({ ...sitters, folder, step: 'start' })
    starts++
  } while (typeof started === 'string' && starts < STARTS_MAX)
  fs.rmSync(folder, { recursive: true })
  return { ...cell, verified, started, starts }
}

/** One process at a time. */
export class CellRunner {
  private child: ChildProcess | undefined = undefined

  /** Resolves to how the process ended, if it did. */
  async run(order: CellOrder): Promise<CellReport | string> {
    this.child ??= fork(PROGRAM, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    const { child } = this
    const report = await new Promise<CellReport | string>((resolve) => {
      child.once('message', (message) => resolve(message as CellReport))
      child.once('exit', (code, signal) => resolve(`ended by ${signal ?? code}`))
      child.send(order)
    })
    child.removeAllListeners()
    if (typeof report === 'string') this.child = undefined
    return report
  }

  close(): void {
    this.child?.kill('SIGKILL')
  }
}

/** The queries that are answered otherwise. */
export const differences = (one: Portrait, other: Portrait): readonly string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (question) => one[question] !== other[question],
  )
