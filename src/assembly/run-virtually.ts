/**
 * `ringbook start --clock virtual`: the exchange of this process on one event loop, whose clock runs at first.
 * A separate program, as other starts would read a megabyte of code that they never run.
 */
import { realSockets } from '../gateway/port.ts'
import { virtually } from './loop/loop-virtual.ts'
import { type RunOptions, runPlaced } from './process-lifecycle.ts'

export const run = (options: RunOptions): Promise<void> =>
  runPlaced(options, (time) => virtually(time, { sockets: realSockets }, false))
