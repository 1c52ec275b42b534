import { signal } from '@preact/signals'
import { type Weight, watchWeight } from '../net/weight.ts'

/** What the page shows of the request weight of its address. */
export const shownWeight = signal<Weight>({ used: 0, limit: 0, readsWait: '' })
watchWeight((weight) => {
  shownWeight.value = weight
})
