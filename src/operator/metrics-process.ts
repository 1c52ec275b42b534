/** What every process tells Prometheus about itself, under the names that all of them use. */
import { readdirSync } from 'node:fs'
import { Counter, Gauge, type Registry } from 'prom-client'

const OPEN_FILES = '/proc/self/fd'

export function addProcessMetrics(registry: Registry): void {
  const registers = [registry]
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time used, all threads, in user and kernel mode.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc((user + system) / 1e6)
    },
  })
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory that is resident, file pages among it.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss())
    },
  })
  const started = Math.round(Date.now() / 1000 - process.uptime())
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'When the process was started, since the Unix epoch.',
    registers,
    collect() {
      this.set(started)
    },
  })
  if (process.platform !== 'linux') return
  new Gauge({
    name: 'process_open_fds',
    help: 'Open files and sockets.',
    registers,
    collect() {
      this.set(readdirSync(OPEN_FILES).length)
    },
  })
}
