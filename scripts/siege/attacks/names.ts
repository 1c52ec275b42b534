/** 295 sockets of one address subscribe to names of 64 KB, which are no streams, twice a second. */
import type { Attack } from '../attack.ts'
import { frameBytes } from '../bytes.ts'
import type { Line } from '../line.ts'

const SOCKETS = 295
const EVERY_MS = 500
/** The frame holds the name and what stands around it, and stays below 64 KiB. */
const NAME_CHARS = 65_000
/** Half of the sockets use one character that costs a JavaScript string two bytes for each. */
const WIDE = '\u0416'

export const names: Attack = {
  name: 'names',
  about: 'subscribes to stream names of 64 KB that are no streams',
  addresses: 1,
  run: (raid) => {
    const lines = Array.from({ length: raid.size(SOCKETS) }, () => raid.webSocket(0, '/ws'))
    let count = 0
    const subscribe = (line: Line, index: number) => {
      const start = `${index % 2 === 0 ? WIDE : ''}${++count}-`
      const name = start.padEnd(NAME_CHARS, 'x')
      const params = [name]
      line.write(frameBytes(JSON.stringify({ method: 'SUBSCRIBE', params, id: count })))
    }
    // Spread over the interval, as clients that know nothing of each other.
    for (const [index, line] of lines.entries()) {
      setTimeout(
        () => raid.every(EVERY_MS, () => subscribe(line, index)),
        (EVERY_MS * index) / lines.length,
      )
    }
  },
}
