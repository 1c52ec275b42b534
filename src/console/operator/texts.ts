/** Figures as texts. */
import { brief } from '../book/decimals.ts'

/** Returns a time of ns with its unit. */
export function durationText(ns: number): string {
  if (ns < 1e3) return `${Math.round(ns)} ns`
  if (ns < 1e6) return `${threeDigits(ns / 1e3)} µs`
  if (ns < 1e9) return `${threeDigits(ns / 1e6)} ms`
  return `${threeDigits(ns / 1e9)} s`
}

export function bytesText(bytes: number): string {
  if (bytes < 2 ** 20) return `${threeDigits(bytes / 2 ** 10)} KiB`
  if (bytes < 2 ** 30) return `${threeDigits(bytes / 2 ** 20)} MiB`
  return `${threeDigits(bytes / 2 ** 30)} GiB`
}

export const shareText = (share: number): string => `${threeDigits(100 * share)} %`

/** Returns a count or a rate. */
export function countText(value: number): string {
  if (value < 100) return String(Number(value.toFixed(1)))
  return value < 10_000 ? String(Math.round(value)) : brief(value)
}

export const RATE = (value: number): string => `${countText(value)}/s`

/** Returns a length of time in its largest unit: "7 d", "3 h", "12 min", "40 s". */
export function ageText(seconds: number): string {
  if (seconds >= 172_800) return `${Math.floor(seconds / 86_400)} d`
  if (seconds >= 7_200) return `${Math.floor(seconds / 3_600)} h`
  return seconds >= 120 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds)} s`
}

/** Returns a time of day, UTC: the zone of journals, logs and responses. */
export const timeText = (seconds: number): string =>
  new Date(seconds * 1_000).toISOString().slice('YYYY-MM-DDT'.length, -'.000Z'.length)

/** Returns a day and a time of day, UTC. */
export const momentText = (timeMs: number): string =>
  new Date(timeMs).toISOString().replace('T', ' ').replace('Z', '')

export function uptimeText(seconds: number): string {
  const days = Math.floor(seconds / 86_400)
  const clock = new Date((seconds % 86_400) * 1_000).toISOString().slice(11, 19)
  return days === 0 ? clock : `${days} d ${clock}`
}

const threeDigits = (value: number): string => String(Number(value.toPrecision(3)))
