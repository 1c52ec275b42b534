import * as os from 'node:os'
import type { Config } from '../config/config.ts'

/** Returns what clients use to reach this member. */
export function addressOf({ advertise, host, port, tlsCert }: Config): string {
  if (advertise !== '') return advertise
  const scheme = tlsCert === '' ? 'http' : 'https'
  const name = host === '0.0.0.0' || host === '::' ? os.hostname() : host
  return `${scheme}://${name.includes(':') ? `[${name}]` : name}:${port}`
}
