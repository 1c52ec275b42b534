/**
 * Local times of a time zone, by Intl, which knows when its clocks are set. A date is an integer: days since
 * 1970-01-01. A local time that the clocks skip is the moment at which they skip it; one that comes twice is
 * the first of the two.
 */
import { Ms } from '../../base/units.ts'
import { DAY_MS } from '../../market/intervals.ts'

const SECOND_MS = 1_000

export class Zone {
  private readonly format: Intl.DateTimeFormat

  /** `name` as the IANA database has it, such as Europe/Berlin. Throws RangeError for any other. */
  constructor(name: string) {
    const parts = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
    const numeric = Object.fromEntries(parts.map((part) => [part, 'numeric']))
    const calendar = { calendar: 'iso8601', numberingSystem: 'latn', hourCycle: 'h23' } as const
    this.format = new Intl.DateTimeFormat('en-US', { ...numeric, ...calendar, timeZone: name })
  }

  /** Returns the date that the zone's calendars show. */
  dateAt(timeMs: Ms): number {
    return Math.floor((timeMs + this.offsetMs(timeMs)) / DAY_MS)
  }

  /** Returns the moment of a local time: so many seconds after midnight by the clock. */
  momentOf(date: number, seconds: number): Ms {
    const localMs = date * DAY_MS + seconds * SECOND_MS
    const beforeMs = this.offsetMs(localMs - DAY_MS)
    const afterMs = this.offsetMs(localMs + DAY_MS)
    // A local time that comes twice means its first moment, before the clock is set back.
    if (this.offsetMs(localMs - beforeMs) === beforeMs) return Ms(localMs - beforeMs)
    if (this.offsetMs(localMs - afterMs) === afterMs) return Ms(localMs - afterMs)
    return this.changeWithin(localMs - afterMs, localMs - beforeMs, beforeMs)
  }

  /** Returns the first whole second in (fromMs, toMs] with another offset than `beforeMs`. */
  private changeWithin(fromMs: number, toMs: number, beforeMs: number): Ms {
    let [same, other] = [fromMs / SECOND_MS, toMs / SECOND_MS]
    while (other - same > 1) {
      const middle = Math.floor((same + other) / 2)
      if (this.offsetMs(middle * SECOND_MS) === beforeMs) same = middle
      else other = middle
    }
    return Ms(other * SECOND_MS)
  }

  /** Returns what its clocks are ahead of UTC, in whole seconds of ms. */
  private offsetMs(timeMs: number): number {
    const parts: Record<string, number> = {}
    for (const { type, value } of this.format.formatToParts(timeMs)) parts[type] = Number(value)
    const { year, month, day, hour, minute, second } = parts as Record<
      'year' | 'month' | 'day' | 'hour' | 'minute' | 'second',
      number
    >
    const localMs = Date.UTC(year, month - 1, day, hour, minute, second)
    return localMs - Math.floor(timeMs / SECOND_MS) * SECOND_MS
  }
}
