/**
 * A full memory fence, which JavaScript has no name for. Plain reads and writes may move past a single
 * atomic access in one direction. Nothing moves past a sequentially consistent store followed by such
 * a load. Optimistic readers and their writers call it.
 */
const cell = new Int32Array(new SharedArrayBuffer(4))

/** Everything before it happens before everything after it, as every thread sees it. */
export function fence(): void {
  Atomics.store(cell, 0, 0)
  Atomics.load(cell, 0)
}
