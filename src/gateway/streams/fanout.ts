/**
 * Sends frames of market streams to their readers, so much a tick of the event loop. The cost is system
 * calls: uWebSockets.js sends a socket what was published to it within a tick by one call, up to 32 frames
 * or 16 KiB. One frame costs as much as 32. So sockets are in groups, with a topic of uWebSockets.js for
 * each stream and group. What waits for a group is published together; groups follow each other, and a tick
 * serves as many as a slice has room for. The more frames wait, the fewer calls each of them costs.
 *
 * A socket gets its frames in the order in which they were published. A change of what it reads, and the
 * response to it, take their place among the frames that wait for its group.
 */
import { GatewayCounter, type ThreadCounters } from '../../shared/counters.ts'

/** Sockets of a group. Of a thousand readers, each frame is then published eight times. */
export const GROUP_SOCKETS = 128
/** System calls of one tick: 6 µs each, less than two milliseconds. */
export const SLICE_SENDS = 320
/** System calls above which the fan-out is behind: 100 ms of slices. */
export const BEHIND_SENDS = 16_384
/** Memory of what waits, in characters, which frames have as bytes. What is beyond is sent at once, out of slices. */
export const WAITING_CHARS_MAX = 16 * 1024 * 1024

/** What uWebSockets.js sends by one call: less than 16 KiB and at most 32 frames. */
const RUN_BYTES = 16 * 1024 - 1
const RUN_FRAMES = 32
/** A short frame takes as much of a call as one of so many bytes. */
const FRAME_BYTES_MIN = Math.floor(RUN_BYTES / RUN_FRAMES)
/** Bytes of the header of a WebSocket frame of up to 64 KiB. */
const HEADER_BYTES = 4
/** What a call of `publish`, or a change, costs beside system calls, as a part of one. */
const STEP_SENDS = 1 / 8
/** Memory of a change, or of a frame for one group, beside its characters. */
const STEP_CHARS = 64
/** Steps that were made and still take places in a group's array. */
const DONE_MAX = 1_024

/** Readers of one stream in one framing within one group. */
export interface Audience {
  readonly group: ReaderGroup
  /** The topic of uWebSockets.js that they are subscribed to. */
  readonly topic: string
  readers: number
}

/** Sockets to which frames are published together. */
export class ReaderGroup {
  readonly number: number
  /** Sockets that joined and have not left. */
  sockets = 0
  /** What waits, oldest first, from `done` on. */
  waiting: Step[] = []
  done = 0
  /** Of culled streams, by topic: what waits behind the last change, and gives way to the next frame. */
  readonly newest = new Map<string, FrameStep>()

  /** Takes the frames of a group of one socket, which has no subscribers of topics. */
  readonly deliver: Deliver | undefined

  constructor(number: number, deliver?: Deliver) {
    this.number = number
    this.deliver = deliver
  }
}

/** Called with the topic that a subscriber would have, and the frame. */
export type Deliver = (topic: string, frame: Uint8Array) => void

/** How frames of a stream are sent. */
export interface Sending {
  readonly isBinary?: boolean
  /** Whether a frame that waits gives way to the next one. */
  readonly isCulled?: boolean | undefined
}

/** A frame that waits for some audiences. */
interface Frame {
  readonly payload: Uint8Array
  readonly isBinary: boolean
  /** What it takes of a system call for one reader. */
  readonly bytes: number
  audiences: number
}

/** What waits in a group: a frame for so many readers, or a change with its memory. */
interface FrameStep {
  frame: Frame
  readonly topic: string
  readers: number
}
type Step =
  | FrameStep
  | { readonly frame?: undefined; readonly change: () => void; readonly chars: number }

export interface FanoutParts {
  readonly counters: ThreadCounters
  /** Sends a frame to all subscribers of a topic. */
  readonly publish: (topic: string, frame: Uint8Array, isBinary: boolean) => void
  /** Called when the first frame waits: `tick` must be called soon. */
  readonly waits: () => void
}

export class Fanout {
  private readonly parts: FanoutParts
  private readonly groups: ReaderGroup[] = []
  /** Groups for which something waits, in order. */
  private readonly queue: ReaderGroup[] = []
  /** Numbers of groups of one socket go down from 0. */
  private lastAlone = 0
  private _waitingChars = 0
  /** Bytes that system calls have room for, of all frames that wait, counted for each reader. */
  private waitingBytes = 0

  constructor(parts: FanoutParts) {
    this.parts = parts
  }

  /** Whether something waits for a tick. */
  get isWaiting(): boolean {
    return this.queue.length > 0
  }

  /** How many times BEHIND_SENDS system calls what waits takes, rounded down. */
  get timesBehind(): number {
    return Math.floor(this.waitingBytes / (BEHIND_SENDS * RUN_BYTES))
  }

  /** Memory of what waits, in characters. */
  get waitingChars(): number {
    return this._waitingChars
  }

  /** Returns the group of a new socket. Groups are filled in turn, so that few readers share few groups. */
  join(): ReaderGroup {
    let group = this.groups.find(({ sockets }) => sockets < GROUP_SOCKETS)
    if (group === undefined) {
      group = new ReaderGroup(this.groups.length)
      this.groups.push(group)
    }
    group.sockets++
    return group
  }

  /** Returns the group of a socket that is fed by itself: rules of the sandbox are for it. */
  joinAlone(deliver: Deliver): ReaderGroup {
    const group = new ReaderGroup(--this.lastAlone, deliver)
    group.sockets++
    return group
  }

  /** The socket of a group is closed. */
  leave(group: ReaderGroup): void {
    if (--group.sockets > 0 || group.waiting.length === 0) return
    for (const step of group.waiting.slice(group.done)) this.forget(step)
    group.waiting = []
    group.done = 0
    group.newest.clear()
    this.queue.splice(this.queue.indexOf(group), 1)
  }

  /** Sends the frame to its audiences in this tick and the next ones. */
  publish(audiences: Iterable<Audience>, payload: Uint8Array, sending: Sending = {}): void {
    const { isBinary = false, isCulled = false } = sending
    const { length } = payload
    const bytes = Math.max(FRAME_BYTES_MIN, length + HEADER_BYTES)
    const frame = { payload, isBinary, bytes, audiences: 0 }
    for (const { group, topic, readers } of audiences) {
      if (frame.audiences++ === 0) this._waitingChars += length
      this._waitingChars += STEP_CHARS
      this.waitingBytes += readers * bytes
      if (!isCulled || !this.takesPlace(group, frame, topic, readers)) {
        const step = { frame, topic, readers }
        if (isCulled) group.newest.set(topic, step)
        this.add(group, step)
      }
    }
    this.keepWithinMemory()
  }

  /** Puts the frame in the place of one of the same topic that waits. Returns false where none does. */
  private takesPlace(group: ReaderGroup, frame: Frame, topic: string, readers: number): boolean {
    const waiting = group.newest.get(topic)
    if (waiting === undefined) return false
    this.forget(waiting)
    waiting.frame = frame
    waiting.readers = readers
    this.parts.counters.add(GatewayCounter.framesCulled, 1)
    return true
  }

  /** Calls `change` once all frames that wait for the group were published; `chars` is its memory. */
  inTurn(group: ReaderGroup, change: () => void, chars = 0): void {
    if (group.waiting.length === 0) {
      change()
      return
    }
    this._waitingChars += chars + STEP_CHARS
    // A frame must not come to stand ahead of a change that it came after.
    group.newest.clear()
    this.add(group, { change, chars })
    this.keepWithinMemory()
  }

  /** Call it once a tick. Returns how many frames and changes no longer wait. */
  tick(): number {
    let count = 0
    let sends = 0
    while (this.isWaiting) {
      const run = this.nextRun()
      if (count > 0 && sends + run.sends > SLICE_SENDS) break
      sends += run.sends
      count += run.steps
      this.send(run.steps)
    }
    return count
  }

  /** Sends all that waits, now. */
  flush(): void {
    while (this.isWaiting) this.tick()
  }

  private add(group: ReaderGroup, step: Step): void {
    const isFirst = !this.isWaiting
    if (group.waiting.push(step) === 1) this.queue.push(group)
    if (isFirst) this.parts.waits()
  }

  private keepWithinMemory(): void {
    while (this._waitingChars > WAITING_CHARS_MAX) {
      const { steps } = this.nextRun()
      this.parts.counters.add(GatewayCounter.framesUnpaced, steps)
      this.send(steps)
    }
  }

  /** What the first group gets next: as many frames as one call sends, and at least one. */
  private nextRun(): { readonly steps: number; readonly sends: number } {
    const { waiting, done, sockets } = this.queue[0]!
    let steps = 0
    let bytes = 0
    let deliveries = 0
    for (let at = done; at < waiting.length; at++, steps++) {
      const step = waiting[at]!
      const more = step.frame?.bytes ?? FRAME_BYTES_MIN
      if (steps > 0 && bytes + more > RUN_BYTES) break
      bytes += more
      if (step.frame !== undefined) deliveries += step.readers
    }
    const calls = Math.min(deliveries, sockets) * Math.ceil(bytes / RUN_BYTES)
    return { steps, sends: calls + steps * STEP_SENDS }
  }

  /** Sends so many steps of the first group, which is the last one then. */
  private send(steps: number): void {
    const group = this.queue.shift()!
    const { waiting } = group
    const end = group.done + steps
    const run = waiting.slice(group.done, end)
    if (end < waiting.length) {
      group.done = end
      if (end >= DONE_MAX) group.done -= waiting.splice(0, end).length
      this.queue.push(group)
    } else {
      group.waiting = []
      group.done = 0
    }
    for (const step of run) {
      this.forget(step)
      if (step.frame === undefined) {
        step.change()
        continue
      }
      const { topic, frame } = step
      if (group.newest.size > 0 && group.newest.get(topic) === step) group.newest.delete(topic)
      if (group.deliver !== undefined) group.deliver(topic, frame.payload)
      else this.parts.publish(topic, frame.payload, frame.isBinary)
    }
  }

  private forget(step: Step): void {
    this._waitingChars -= STEP_CHARS
    if (step.frame === undefined) {
      this._waitingChars -= step.chars
      return
    }
    const { frame, readers } = step
    this.waitingBytes -= readers * frame.bytes
    if (--frame.audiences === 0) this._waitingChars -= frame.payload.length
  }
}
