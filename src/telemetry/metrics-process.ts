/** Metrics of every process, under the names that all of them use. */

import { readdirSync } from 'node:fs'
import type { Clock } from '../base/time.ts'
import type { Family } from './exposition.ts'

const OPEN_FILES = '/proc/self/fd'

export function processFamilies(clock: Clock): readonly Family[] {
  const started = Math.round(clock.nowMs() / 1000 - process.uptime())
  const family = (
    type: Family['type'],
    name: string,
    help: string,
    measure: () => number,
  ): Family => ({
    type,
    name,
    help,
    read: () => [{ labels: {}, value: measure() }],
  })
  const families = [
    family(
      'counter',
      'process_cpu_seconds_total',
      'Processor time used, all threads, in user and kernel mode.',
      () => {
        const { user, system } = process.cpuUsage()
        return (user + system) / 1e6
      },
    ),
    family(
      'gauge',
      'process_resident_memory_bytes',
      'Memory that is resident, file pages among it.',
      () => process.memoryUsage.rss(),
    ),
    family(
      'gauge',
      'process_start_time_seconds',
      'When the process was started, since the Unix epoch.',
      () => started,
    ),
  ]
  if (process.platform !== 'linux') return families
  const openFiles = () => readdirSync(OPEN_FILES).length
  return [...families, family('gauge', 'process_open_fds', 'Open files and sockets.', openFiles)]
}
