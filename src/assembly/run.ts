/** `ringbook start`: the exchange of this process, with its workers on threads. */
import { LinuxScheduler } from '../workers/background.ts'
import { hireThreads } from '../workers/thread-worker.ts'
import { type RunOptions, runPlaced } from './process-lifecycle.ts'

export const run = (options: RunOptions): Promise<void> =>
  runPlaced(options, (time) => {
    const scheduler = new LinuxScheduler()
    // The sooner, the smaller the process that it copies.
    if (process.platform === 'linux') scheduler.open()
    return { time, workers: () => ({ hire: hireThreads(time), scheduler }) }
  })
