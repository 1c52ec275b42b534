/**
 * The full memory fence that JavaScript does not name. Plain reads and writes may move past a single
 * atomic access in one direction; a sequentially consistent store followed by such a load lets
 * nothing pass in either. Where an optimistic reader or its writer needs that, it calls this.
 */
const cell = new Int32Array(new SharedArrayBuffer(4))

/** Everything before it happens before everything after it, as every thread sees it. */
export function fence(): void {
  Atomics.store(cell, 0, 0)
  Atomics.load(cell, 0)
}
