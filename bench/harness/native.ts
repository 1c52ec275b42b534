/**
 * The C++ side of the benchmarks: builds native-bench with make and runs its programs. Programs
 * print one JSON object on standard output; what they say on standard error is shown.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { PACKAGE_FOLDER } from '../../src/base/package-folder.ts'
import { hosting } from '../../src/workers/hosting.ts'

/** Where the C++ programs run; hello-world runs on processor 0. */
const GENERATOR_PROCESSOR = 1
/** Behind our matchers, before all other threads. */
const PUNCTUAL_NICENESS = hosting.matching.raisedTo + 2

const folder = path.join(PACKAGE_FOLDER, 'native-bench')

/** Builds what is out of date; answers the absolute path of the folder of programs. */
export async function buildNative(): Promise<string> {
  await output('make', ['--silent', '-C', folder])
  return path.join(folder, 'build')
}

/**
 * The command line that keeps a program on one processor, where the system has `taskset` and more
 * than one; elsewhere the program alone. Benchmarks keep hello-world and the generator apart, as they
 * would be on two machines. That makes hello-world's rate steadier, not steady: on virtual machines
 * single turns were still seen at twice the usual rate, for a reason not known.
 */
export function pinned(processor: number, program: string, args: readonly string[]): string[] {
  return [...(canPin() ? ['taskset', '-c', String(processor)] : []), program, ...args]
}

export const canPin = (): boolean =>
  os.availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0

/**
 * Builds and runs the program of that name. Returns the JSON object that it printed. With `isPunctual` it
 * goes before other threads, where the system permits it: a generator that waits for its processor would
 * measure its own delays, which a client on another machine does not have. Our matchers
 * go before it. A matcher that waited for the generator would delay orders, as no client elsewhere does.
 */
export async function runNative<Answer>(
  name: string,
  args: readonly string[],
  isPunctual = false,
): Promise<Answer> {
  return JSON.parse(await output(path.join(await buildNative(), name), args, isPunctual))
}

async function output(
  program: string,
  args: readonly string[],
  isPunctual = false,
): Promise<string> {
  const [first = program, ...rest] = pinned(GENERATOR_PROCESSOR, program, args)
  const child = spawn(first, rest, { stdio: ['ignore', 'pipe', 'inherit'] })
  if (isPunctual) goFirst(child)
  const [printed, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'close')])
  if (code !== 0) throw new Error(`${path.basename(program)} ended with ${code ?? signal}`)
  return printed
}

function goFirst({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) os.setPriority(pid, PUNCTUAL_NICENESS)
  } catch {
    // Without the right it waits its turn like the others.
  }
}
