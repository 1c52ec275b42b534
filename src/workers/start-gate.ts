/**
 * Passes a thread its start. The thread was created earlier, to load its modules meanwhile; it waits
 * here, without an event loop, since some threads have none.
 */
import { isMainThread, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { assert } from '../base/assert.ts'

/** Bytes of a gate: two cells. The first only goes up; the second counts the orders posted to the thread. */
export const GATE_BYTES = 8
const Gate = { LOADING: 0, LOADED: 1, OPEN: 2 } as const
const ORDERS = 1

/** What the main thread posts first. */
export interface Posted<Start> {
  readonly start: Start
  /** The cell of the main thread's time (base/real-time.ts). */
  readonly time: SharedArrayBuffer
}

/** For the main thread, after it posted an order. */
export function countOrder(gate: SharedArrayBuffer): void {
  Atomics.add(new Int32Array(gate), ORDERS, 1)
}

/** For the main thread, after it posted the start. */
export function openGate(gate: SharedArrayBuffer): void {
  const cell = new Int32Array(gate)
  Atomics.store(cell, 0, Gate.OPEN)
  Atomics.notify(cell, 0)
}

/** For the main thread: resolves when the thread has loaded its modules. */
export async function hasLoaded(gate: SharedArrayBuffer): Promise<void> {
  await Atomics.waitAsync(new Int32Array(gate), 0, Gate.LOADING).value
}

/**
 * For the thread: blocks until its start is posted. Returns its port, the start, the cell of the
 * main thread's time, and a function that returns the number of orders posted so far.
 */
export function startedWith<Start>() {
  assert(!isMainThread && parentPort !== null, 'this runs on a thread of its own')
  const cell = new Int32Array(workerData as SharedArrayBuffer)
  Atomics.compareExchange(cell, 0, Gate.LOADING, Gate.LOADED)
  Atomics.notify(cell, 0)
  Atomics.wait(cell, 0, Gate.LOADED)
  const { start, time } = receiveMessageOnPort(parentPort)?.message as Posted<Start>
  const posted = () => Atomics.load(cell, ORDERS)
  return { port: parentPort, start, time, posted }
}
