/**
 * Programs whose instructions valgrind's callgrind counts: those of user space, thread by thread. The same
 * work has the same count on a busy machine as on a quiet one, within one in a hundred, where its times
 * differ by a third. A count knows nothing of caches, branches and the kernel.
 */
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

/**
 * V8 writes code into memory, and compiles on the thread that runs, so that no other thread is counted. Its seeds
 * are the same each time: they move what it inlines, and with it up to three in a hundred of a count.
 */
const NODE = [
  ...['--smc-check=all-non-file', process.execPath],
  ...['--single-threaded', '--random-seed=1', '--hash-seed=1'],
]

/** Counts one process after another. */
export class Callgrind {
  private readonly folder: string

  /** Throws when there is no valgrind. */
  constructor() {
    if (spawnSync('valgrind', ['--version']).status !== 0) {
      throw new Error('valgrind does not start: install it, as with apt-get install valgrind')
    }
    this.folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-callgrind-'))
  }

  /** What stands before the words of the next program. It is counted from its beginning. */
  command(): string[] {
    this.take(/./)
    const out = `--callgrind-out-file=${path.join(this.folder, 'out')}`
    return ['valgrind', '--quiet', '--tool=callgrind', '--separate-threads=yes', out]
  }

  /** What stands before the words of a Node.js program, which is counted from `begin` or `count` on. */
  nodeCommand(): string[] {
    return [...this.command(), '--instr-atstart=no', ...NODE]
  }

  /** Counts from now on. */
  async begin(pid: number): Promise<void> {
    await control(pid, '--instr=on')
  }

  /** Returns the instructions of each thread that ran while `run` did. */
  async count(pid: number, run: () => Promise<unknown>): Promise<number[]> {
    await this.begin(pid)
    await run()
    await control(pid, '--instr=off')
    await control(pid, '--dump')
    return this.take(/^out\./)
  }

  /** Returns the instructions of each thread of a program that has ended. */
  ended(): number[] {
    return this.take(/^out-/)
  }

  /** Reads and removes files with the counts of a thread each. */
  private take(names: RegExp): number[] {
    const counts = readdirSync(this.folder)
      .filter((name) => names.test(name))
      .map((name) => {
        const file = path.join(this.folder, name)
        const total = /^totals: (\d+)/m.exec(readFileSync(file, 'utf8'))?.[1]
        rmSync(file)
        return Number(total ?? 0)
      })
    return counts.filter((count) => count > 0)
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

async function control(pid: number, request: string): Promise<void> {
  await promisify(execFile)('callgrind_control', [request, String(pid)])
}
