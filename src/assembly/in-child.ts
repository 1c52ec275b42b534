/** An exchange on the event loop of a child process (src/embedded.ts), which ends when this process does. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { builtPath } from '../base/package-folder.ts'
import { RealTime } from '../base/real-time.ts'
import { checkOptions } from './embedded-config.ts'
import { operateOver } from './operate.ts'
import type { StartExchange } from './options.ts'
import { type VenueAddresses, venueOf } from './venue.ts'
import { Networks } from './venue-network.ts'
import { forkOptions, type StartFork } from './venue-states.ts'

/** The longest time of a close; then the child is killed. */
const CLOSE_MS = 10_000

export const startChild: StartExchange = async (options = {}) => {
  checkOptions(options)
  if (options.chainPort !== undefined) throw new Error("A chainPort needs process: 'this'.")
  const { log = () => {}, failed, process: _, ...own } = options
  const program = builtPath('src/embedded.js')
  const child = spawn(process.execPath, [program, JSON.stringify(own)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let lastLine = ''
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastLine = line
    log(line)
  })
  const ended = once(child, 'close')
  const first = once(createInterface({ input: child.stdout }), 'line')
  const line = await Promise.race([first, ended.then(() => undefined)])
  if (line === undefined) throw new Error(lastLine || 'The child process ended before it served.')
  let isClosing = false
  void ended.then(() => {
    const error = new Error(`The child process of the exchange ended. ${lastLine}`.trim())
    if (isClosing) return
    if (failed === undefined) throw error
    failed(error)
  })
  const close = async () => {
    isClosing = true
    child.stdin.end()
    const late = new RealTime().after(CLOSE_MS, () => child.kill('SIGKILL'))
    await ended
    late.cancel()
  }
  const addresses = JSON.parse(line[0]) as VenueAddresses
  const operate = operateOver(addresses.adminUrl, addresses.folder)
  const isVirtual = (options.clock ?? options.settings?.clock ?? 'real') !== 'real'
  const startFork: StartFork = async (fork) => {
    const [now] = isVirtual ? (await operate('clock-show', {})).rows : []
    return startChild(forkOptions(options, fork, now && Number(now.ms)))
  }
  const time = new RealTime()
  const networks = new Networks(addresses.port, time)
  return venueOf(addresses, operate, { close, startFork, networks, time })
}
