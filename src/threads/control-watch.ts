/** Watches the control journal's file from the main thread, which writes it (journal/store-watch.ts). */
import { countedWatch } from '../agents/store-watches.ts'
import type { ControlStore } from '../journal/control-store.ts'
import { CONTROL_STORE } from '../shared/counters.ts'

const EVERY_MS = 5_000

/** Returns the watch; stop it before the store is closed. */
export function watchControl(
  control: ControlStore,
  counters: SharedArrayBuffer,
  warn: (sentence: string) => void,
): { stop(): void } {
  const watch = countedWatch(counters, CONTROL_STORE, () => control.figures(), warn)
  const look = () => watch.look(performance.now())
  look()
  const timer = setInterval(look, EVERY_MS).unref()
  return { stop: () => clearInterval(timer) }
}
