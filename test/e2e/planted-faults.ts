/**
 * Faults of single threads of a real exchange, planted by a module that its threads load first. A fault is
 * a file in a folder: it is there until the test removes it, or until the thread has met it once.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** What a thread does instead of its work. */
export type Ending = 'throw' | 'exit' | 'outOfMemory' | 'hang'

const HEAP_MB = 128

const preload = (folder: string) => `
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { isMainThread } from 'node:worker_threads'

const folder = ${JSON.stringify(folder)}
const file = isMainThread ? 'main' : path.basename(process.argv[1])
const thread = file === 'worker.js' ? 'history' : file.replace('.thread.js', '')
const { existsSync, readFileSync, rmSync, writeFileSync } = fs
const { load, wait } = Atomics

function meet() {
  const fault = path.join(folder, thread)
  if (!existsSync(fault)) return
  const ending = readFileSync(fault, 'utf8')
  rmSync(fault)
  if (ending === 'throw') throw new Error('the planted fault')
  if (ending === 'exit') process.exit(7)
  if (ending === 'hang') for (;;) wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  const kept = []
  for (;;) kept.push(new Array(1_000).fill(Math.random()))
}

// History threads look at positions, a backup before each step, the others rest between two pieces of work.
if (thread === 'history') {
  Atomics.load = (cells, at) => {
    if (cells instanceof BigInt64Array) meet()
    return load(cells, at)
  }
} else if (thread === 'backup') {
  Atomics.load = (cells, at) => {
    if (/\\bdoWork\\b/.test(new Error().stack)) meet()
    return load(cells, at)
  }
} else if (!isMainThread) {
  Atomics.wait = (cells, at, value, ms) => {
    if (/\\bsleep\\b|\\brun\\b/.test(new Error().stack) && !/\\btread\\b/.test(new Error().stack)) meet()
    return wait(cells, at, value, ms)
  }
}

// Writes of these files are refused.
fs.writeFileSync = (name, ...rest) => {
  const refused = path.join(folder, 'refused')
  if (existsSync(refused) && String(name).includes(readFileSync(refused, 'utf8'))) {
    throw Object.assign(new Error('planted'), { code: 'ENOSPC' })
  }
  return writeFileSync(name, ...rest)
}
syncBuiltinESMExports()
`

export class PlantedFaults {
  private readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ringbook-planted-'))

  /** NODE_OPTIONS to run an exchange with. Heaps are small, so that they are full soon. */
  get options(): string {
    const module = `data:text/javascript,${encodeURIComponent(preload(this.folder))}`
    return `--max-old-space-size=${HEAP_MB} --import=${module}`
  }

  /** The thread of that kind that works next ends so. */
  end(thread: 'indexer' | 'history' | 'snapshot' | 'backup', ending: Ending): void {
    const file = path.join(this.folder, thread)
    fs.writeFileSync(`${file}.new`, ending)
    fs.renameSync(`${file}.new`, file)
  }

  /** Whether a thread has met it. */
  isMet(thread: string): boolean {
    return !fs.existsSync(path.join(this.folder, thread))
  }

  /** From now on the disk is full for files whose path has this in it. */
  refuse(name: string): void {
    fs.writeFileSync(path.join(this.folder, 'refused'), name)
  }

  allow(): void {
    fs.rmSync(path.join(this.folder, 'refused'))
  }

  remove(): void {
    fs.rmSync(this.folder, { recursive: true, force: true })
  }
}
