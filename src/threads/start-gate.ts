/**
 * Passes a thread its start. The thread was created earlier, to load its modules meanwhile; it waits
 * here, without an event loop, since some threads have none.
 */
import { isMainThread, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { assert } from '../base/assert.ts'

/** For the main thread, after it posted the start. */
export function openGate(gate: SharedArrayBuffer): void {
  const cell = new Int32Array(gate)
  Atomics.store(cell, 0, 1)
  Atomics.notify(cell, 0)
}

/** For the thread: blocks until its start is posted. Returns its port and the start. */
export function startedWith<Start>() {
  assert(!isMainThread && parentPort !== null, 'this runs on a thread of its own')
  Atomics.wait(new Int32Array(workerData as SharedArrayBuffer), 0, 0)
  const start: Start = receiveMessageOnPort(parentPort)?.message
  return { port: parentPort, start }
}
