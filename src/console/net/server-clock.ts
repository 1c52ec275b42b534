/** The exchange's clock, as seen from here: what requests are signed with, and lag is measured by. */
import { read } from './api.ts'

/** Samples; the one with the shortest way counts. */
const SAMPLES = 3

let offsetMs = 0

/** Returns the exchange's time, ms. */
export const serverNowMs = (): number => Date.now() + offsetMs

/** Measures the distance between both clocks. Throws when the exchange cannot be reached. */
export async function measureClock(): Promise<void> {
  let shortest = Number.POSITIVE_INFINITY
  for (let i = 0; i < SAMPLES; i++) {
    const sentMs = performance.now()
    const { serverTime } = await read<{ serverTime: number }>('/api/v3/time')
    const wayMs = performance.now() - sentMs
    if (wayMs >= shortest) continue
    shortest = wayMs
    offsetMs = Math.round(serverTime + wayMs / 2 - Date.now())
  }
}
