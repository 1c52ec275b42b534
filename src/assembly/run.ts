/** `ringbook start`: the exchange of this process, with its workers on threads. */
import { onThreads } from './on-threads.ts'
import { type RunOptions, runPlaced } from './process-lifecycle.ts'

export const run = (options: RunOptions): Promise<void> =>
  runPlaced(options, (time) => {
    const threads = onThreads(time)
    return { time, workers: () => threads }
  })
