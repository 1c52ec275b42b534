/** Times for people, in the browser's zone. Today is the exchange clock's day. */
import { serverNowMs } from '../net/server-clock.ts'

const pad = (value: number) => String(value).padStart(2, '0')

const clockOf = (time: Date): string =>
  [time.getHours(), time.getMinutes(), time.getSeconds()].map(pad).join(':')

const isToday = (time: Date): boolean =>
  time.toDateString() === new Date(serverNowMs()).toDateString()

/** Returns the date and the time of day: `2026-01-05 12:30:00`. */
export function datedText(timeMs: number): string {
  const time = new Date(timeMs)
  const date = [time.getFullYear(), pad(time.getMonth() + 1), pad(time.getDate())].join('-')
  return `${date} ${clockOf(time)}`
}

/** Returns the time of day, after its date where that is not today's. */
export function timeText(timeMs: number): string {
  const time = new Date(timeMs)
  return isToday(time) ? clockOf(time) : datedText(timeMs)
}

/** Returns the same for a narrow column: a time that is not of today is its date alone. */
export function briefTimeText(timeMs: number): string {
  const time = new Date(timeMs)
  return isToday(time) ? clockOf(time) : timeText(timeMs).slice(0, '2026-01-05'.length)
}
