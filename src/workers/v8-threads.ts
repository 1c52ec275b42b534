/**
 * The threads on which V8 compiles code and collects garbage for all of a process's isolates. They have the
 * priority of matchers and gateways, and while new code runs there are more of them than processors: a
 * first cascade of stops then waits a quarter of a second for its processor. So they get a low priority.
 * Only on Linux, where each thread has its own.
 */
import { readdirSync, readFileSync } from 'node:fs'
import v8 from 'node:v8'
import { lowerPriority } from '../base/lower-priority.ts'

/**
 * They get a third of the time of a matcher or gateway where processors are short. With less, new code
 * would run for seconds before it is compiled.
 */
export const V8_NICENESS = 5
/** V8's threads of Node.js without `--v8-pool-size`, and the one that schedules delayed tasks. */
const V8_THREADS = 5
const V8_NAMES = ['V8Worker', 'DelayedTaskSche']

/**
 * Each thread collects its young objects alone: with helpers of lower priority it waits for them where
 * processors are short. Call it before the process starts a thread.
 */
export function collectYoungAlone(): void {
  v8.setFlagsFromString('--no-parallel-scavenge')
}

/**
 * Call it before the process starts a thread. Threads are identified by their names, or where all have
 * the name of the program, by their numbers: Node.js starts V8's threads first.
 */
export function lowerV8Threads(): void {
  if (process.platform !== 'linux') return
  const folder = '/proc/self/task'
  const threads = readdirSync(folder).map((thread) => ({
    number: Number(thread),
    name: readFileSync(`${folder}/${thread}/comm`, 'utf8').trim(),
  }))
  for (const number of v8ThreadsAmong(threads, process.pid)) lowerPriority(number, V8_NICENESS)
}

interface Thread {
  readonly number: number
  readonly name: string
}

/** Returns the numbers of V8's threads among those of a process that has just started. */
export function v8ThreadsAmong(threads: readonly Thread[], main: number): number[] {
  const named = threads.filter(({ name }) => V8_NAMES.some((it) => name.startsWith(it)))
  const others = threads.filter(({ number }) => number > main)
  const oldest = others.sort((a, b) => a.number - b.number).slice(0, V8_THREADS)
  return (named.length > 0 ? named : oldest).map(({ number }) => number)
}
