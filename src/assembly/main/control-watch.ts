/** Watches the control journal's file from the main thread, which writes it (journal/store-watch.ts). */

import { countedWatch } from '../../agents/store-watches.ts'
import { elapsedMs, type Time } from '../../base/time.ts'
import type { ControlStore } from '../../journal/control-store.ts'
import { CONTROL_STORE } from '../../shared/counters.ts'

const EVERY_MS = 5_000

/** Returns the watch; stop it before the store is closed. */
export function watchControl(
  control: ControlStore,
  counters: SharedArrayBuffer,
  time: Time,
  warn: (sentence: string) => void,
): { stop(): void } {
  const watch = countedWatch(counters, CONTROL_STORE, () => control.figures(), warn)
  const look = () => watch.look(elapsedMs(time))
  look()
  const timer = time.every(EVERY_MS, look)
  return { stop: () => timer.cancel() }
}
