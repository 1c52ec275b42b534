/** Timers by the moment at which they are due: a binary heap, from which any of them can be taken out. */

import type { Effect } from './time.ts'

/** A function that is due at a moment; `index` is the heap's own. */
export interface HeapTimer {
  readonly run: () => void
  readonly effect: Effect | undefined
  /** Monotonic, ms. */
  dueMs: number
  /** 0 when it runs once. */
  readonly periodMs: number
  /** Counts what was added, from 1: of two that are due together the earlier one goes first. */
  order: number
  /** Where it is in the heap; below 0 while it is in none. */
  index: number
}

export class TimerHeap {
  private readonly timers: HeapTimer[] = []
  private added = 0

  /** The `order` of the timer that was added last. */
  get lastOrder(): number {
    return this.added
  }

  get size(): number {
    return this.timers.length
  }

  /** Returns the timer that is due first; undefined when there is none. */
  get first(): HeapTimer | undefined {
    return this.timers[0]
  }

  /** When a timer can first send a frame or change an order, monotonic ms; Infinity when none can. */
  get effectMs(): number {
    let earliestMs = Number.POSITIVE_INFINITY
    for (const { dueMs, effect } of this.timers) {
      earliestMs = Math.min(earliestMs, effect === undefined ? dueMs : effect(dueMs))
    }
    return earliestMs
  }

  add(timer: HeapTimer): void {
    timer.order = ++this.added
    this.timers.push(timer)
    this.rise(timer, this.timers.length - 1)
  }

  /** Does nothing when it is not in the heap. */
  remove(timer: HeapTimer): void {
    const { index } = timer
    if (index < 0) return
    timer.index = -1
    const last = this.timers.pop()!
    if (last === timer) return
    if (this.rise(last, index) === index) this.sink(last, index)
  }

  /** Puts the timer at the index, or nearer to the top. Returns where it is then. */
  private rise(timer: HeapTimer, from: number): number {
    let index = from
    while (index > 0) {
      const parent = (index - 1) >> 1
      const above = this.timers[parent]!
      if (!isBefore(timer, above)) break
      this.put(above, index)
      index = parent
    }
    this.put(timer, index)
    return index
  }

  private sink(timer: HeapTimer, from: number): void {
    const { timers } = this
    let index = from
    for (;;) {
      let child = 2 * index + 1
      if (child >= timers.length) break
      const right = child + 1
      if (right < timers.length && isBefore(timers[right]!, timers[child]!)) child = right
      if (!isBefore(timers[child]!, timer)) break
      this.put(timers[child]!, index)
      index = child
    }
    this.put(timer, index)
  }

  private put(timer: HeapTimer, index: number): void {
    this.timers[index] = timer
    timer.index = index
  }
}

const isBefore = (a: HeapTimer, b: HeapTimer): boolean =>
  a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order)
