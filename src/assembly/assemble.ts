/**
 * Puts an exchange together from its settings, a time, sockets, and where its workers run. The data folder
 * is the setting `data`. Nothing is started before `start`. What runs in production, in a simulation and
 * within another program is this assembly.
 */
import type { Logger } from 'pino'
import type { Time } from '../base/time.ts'
import type { Config } from '../config/config.ts'
import type { Sockets } from '../gateway/server.ts'
import type { WarningLog } from '../telemetry/warning-log.ts'
import { LinuxScheduler, type Scheduler } from '../threads/background.ts'
import { Exchange, type ExchangeEvents } from '../threads/launch.ts'
import { hireThread } from '../threads/thread-worker.ts'
import { hireOnLoop } from './loop/one-loop.ts'

export interface Assembly {
  readonly config: Config
  /** Of the main part, and of all workers on one loop. Threads have the machine's. */
  readonly time: Time
  readonly log: Logger
  /** Keeps the last warnings of the log. */
  readonly warnings: WarningLog
  readonly events: ExchangeEvents
  /** Threads of their own, or the event loop of the caller (loop/one-loop.ts), with its sockets. */
  readonly workers: { readonly on: 'threads' } | { readonly on: 'loop'; readonly sockets: Sockets }
}

export function assemble({ workers, ...parts }: Assembly): Exchange {
  if (workers.on === 'threads') {
    const scheduler = new LinuxScheduler()
    // The sooner, the smaller the process that it copies.
    if (process.platform === 'linux') scheduler.open()
    return new Exchange({ ...parts, hire: hireThread, scheduler })
  }
  const { sockets } = workers
  const hire = hireOnLoop({ time: parts.time, sockets })
  return new Exchange({ ...parts, hire, scheduler: noScheduler })
}

/** No worker on a loop has a thread to schedule. */
const noScheduler: Scheduler = {
  probe: () => Promise.reject(new Error('no threads')),
  holdDiskClass: async () => {},
  give: async () => {},
}
