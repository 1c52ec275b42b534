/**
 * How a thread gets what it starts with. It was created before that was known, to load its modules in
 * the meantime; now it waits here, without an event loop, since some threads have none.
 */
import { isMainThread, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { assert } from '../base/assert.ts'

/** Of the main thread, after it posted the start. */
export function openGate(gate: SharedArrayBuffer): void {
  const cell = new Int32Array(gate)
  Atomics.store(cell, 0, 1)
  Atomics.notify(cell, 0)
}

/** Of the thread: its port to the main thread, and what that posted first. Blocks until it has. */
export function startedWith<Start>() {
  assert(!isMainThread && parentPort !== null, 'this runs on a thread of its own')
  Atomics.wait(new Int32Array(workerData as SharedArrayBuffer), 0, 0)
  const start: Start = receiveMessageOnPort(parentPort)?.message
  return { port: parentPort, start }
}
