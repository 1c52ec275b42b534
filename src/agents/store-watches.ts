/** Watches of stores whose readings become counters. */
import type { EnvironmentFigures } from '../journal/environment.ts'
import { StoreWatch } from '../journal/store-watch.ts'
import { StoreCounter, storeName, ThreadCounters } from '../shared/counters.ts'

/** `store` is its place among the counters. `warn` gets a sentence for the log. */
export function countedWatch(
  counters: SharedArrayBuffer,
  store: number,
  figures: () => EnvironmentFigures,
  warn: (sentence: string) => void,
): StoreWatch {
  const block = ThreadCounters.ofStore(counters, store)
  return new StoreWatch({
    name: storeName(store),
    figures,
    warn,
    note: (reading) => {
      block.set(StoreCounter.fileBytes, reading.fileBytes)
      block.set(StoreCounter.freeBytes, reading.freeBytes)
      block.set(StoreCounter.freeEntries, reading.freeEntries)
      block.set(StoreCounter.readerAgeMs, reading.readerAgeMs)
    },
  })
}
