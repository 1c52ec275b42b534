/** Runs the threads of a stress test, each to its end, and names those that never come there. */
import path from 'node:path'
import { Worker } from 'node:worker_threads'

/** None of these tests takes a tenth of it. */
const PATIENCE_MS = 100_000

export interface ThreadTask {
  /** Who it is, for the sentence about who still waits. */
  readonly name: string
  readonly workerData: unknown
}

/**
 * Starts a thread of a compiled program of test/stress for each task; resolves to what each posts. Rejects
 * when one throws, and after PATIENCE_MS with the names of the threads that have not ended. No thread
 * outlives it.
 */
export async function runThreads<Answer>(
  program: string,
  tasks: readonly ThreadTask[],
  patienceMs = PATIENCE_MS,
): Promise<Answer[]> {
  const file = path.resolve(import.meta.dirname, '../../dist/test/stress', program)
  const waiting = new Set<string>()
  const workers: Worker[] = []
  let timer: NodeJS.Timeout | undefined
  const outOfPatience = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(hangOf(tasks, waiting, patienceMs))), patienceMs)
  })
  const answers = tasks.map(({ name, workerData }) => {
    waiting.add(name)
    // Without the test runner's own flags, which would look for sources instead of compiled files.
    const worker = new Worker(file, { workerData, execArgv: [] })
    workers.push(worker)
    return new Promise<Answer>((resolve, reject) => {
      worker.once('message', (answer: Answer) => {
        waiting.delete(name)
        resolve(answer)
      })
      worker.once('error', (error: Error) => {
        reject(new Error(`${name}: ${error.message}`, { cause: error }))
      })
    })
  })
  try {
    return await Promise.race([Promise.all(answers), outOfPatience])
  } finally {
    clearTimeout(timer)
    for (const worker of workers) void worker.terminate()
  }
}

function hangOf(
  tasks: readonly ThreadTask[],
  waiting: ReadonlySet<string>,
  patienceMs: number,
): string {
  const ended = tasks.filter(({ name }) => !waiting.has(name)).map(({ name }) => name)
  const done = ended.length === 0 ? 'none has ended' : `ended: ${ended.join(', ')}`
  return `after ${patienceMs / 1000} s ${[...waiting].join(', ')} still waits; ${done}`
}
