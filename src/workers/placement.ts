/**
 * Keeps threads on the processors that the operator names: a gateway that never moves finds its caches
 * warm, and waits there for no other thread (bench `wire`). Only on Linux, where each thread has its own
 * processors, and by a program of util-linux, since Node.js cannot set them. A thread that is created
 * later stays with its creator.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { fileFault } from '../base/file-fault.ts'
import { parseProcessors } from '../base/processor-list.ts'
import { StartError } from '../base/start-error.ts'
import { type Config, settings } from '../config/config.ts'

type ProcessorLists = Pick<Config, 'gatewayProcessors' | 'matcherProcessors'>

/** Rejects with StartError for processors that no thread can use. */
export async function checkProcessors(lists: ProcessorLists): Promise<void> {
  for (const name of ['gatewayProcessors', 'matcherProcessors'] as const) {
    const wanted = parseProcessors(lists[name])!
    if (wanted.length === 0) continue
    const { flag } = settings[name]
    const usable = await taskset(String(process.pid)).catch(({ message }: Error) => {
      throw new StartError(`--${flag} needs Linux and its program taskset: ${message}.`)
    })
    const refused = wanted.find((processor) => !parseProcessors(usable)!.includes(processor))
    if (refused === undefined) continue
    const sentence = `has ${refused}, but this process may only use the processors ${usable}.`
    throw new StartError(`--${flag} ${sentence}`)
  }
}

/**
 * Places each thread, by the kernel's number, on one of the processors in turn; does nothing without
 * processors. Rejects with StartError.
 */
export async function keepOn(
  threads: readonly (number | undefined)[],
  processors: string,
): Promise<void> {
  const list = parseProcessors(processors)!
  if (list.length === 0) return
  const keep = (thread: number | undefined, index: number) =>
    taskset(String(list[index % list.length]), String(thread))
  await Promise.all(threads.map(keep)).catch((error) => {
    throw new StartError(
      `Threads cannot be kept on the processors ${processors}: ${fileFault(error)}.`,
    )
  })
}

/** Resolves to the last word that it printed, the processors in use. Rejects with its own sentence. */
async function taskset(...args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('taskset', ['--pid', '--cpu-list', ...args])
    return stdout.trim().split(' ').at(-1)!
  } catch (error) {
    const { stderr } = error as Error & { stderr?: string }
    throw new Error((stderr || fileFault(error)).trim(), { cause: error })
  }
}
