/** An exchange on one event loop whose time is virtual, and what moves it. */
import { ManualClock, ManualTime } from '../../base/manual-time.ts'
import type { Time } from '../../base/time.ts'
import { VirtualClock } from '../../base/virtual-clock.ts'
import type { Workers } from '../stages/starting.ts'
import type { LoopParts } from './loop-parts.ts'
import { onOneLoop } from './one-loop.ts'

export interface VirtualAssembly {
  readonly time: ManualTime
  readonly clock: VirtualClock
  readonly workers: Workers
}

/** It begins as `begins` is, at the wall clock's time when left out. Close its clock when the exchange ends. */
export function virtually(
  wall: Time,
  parts: LoopParts,
  isPaused: boolean,
  begins = new ManualClock(wall.nowMs()),
): VirtualAssembly {
  const time = new ManualTime(begins, wall, wall)
  const clock = new VirtualClock(time, isPaused)
  // A moment's work ends with the moment: the clock does not wait for a disk that works beside the loop.
  return { time, clock, workers: onOneLoop({ ...parts, clock, flushesBeside: false }) }
}
