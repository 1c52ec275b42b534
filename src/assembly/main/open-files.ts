/**
 * The number of clients' sockets that fit the process's limit of open files, beside the exchange's own
 * files: journals and their write-ahead logs, archive, snapshots, log, pipes between threads, the
 * admin server. So clients can never take the handle that the journal's next file needs.
 */
import { readFileSync } from 'node:fs'
import { StartError } from '../../base/start-error.ts'
import type { Config } from '../../config/config.ts'

/** Main thread and its stores, archive, snapshots, operators, and as much again to spare. */
const FILES = 160
/** A thread of a gateway or matcher, with its journal or history threads; twice what was counted. */
const FILES_PER_THREAD = 40
const SOCKETS_MIN = 16
/** The share of all sockets that one address may open within ten seconds, the life of a silent one. */
const ADDRESS_SHARE = 4

type Sizes = Pick<Config, 'gateways' | 'matchers' | 'socketsMax' | 'acceptsPerAddress'>

/** Handles that stay free of clients' sockets. */
export const filesOf = ({ gateways, matchers }: Sizes): number =>
  FILES + FILES_PER_THREAD * (gateways + matchers)

/** The soft limit, which Node.js raises to the hard one at its start; none where there is no /proc. */
export function openFilesMax(readLimits = limitsOfProcess): number {
  const [, soft = ''] = /^Max open files +(\S+)/m.exec(readLimits()) ?? []
  return /^\d+$/.test(soft) ? Number(soft) : Number.POSITIVE_INFINITY
}

function limitsOfProcess(): string {
  try {
    return readFileSync('/proc/self/limits', 'latin1')
  } catch {
    return ''
  }
}

/** Returns the sockets that all gateways may have open together. Throws StartError for fewer than 16. */
export function socketsWithin(sizes: Sizes, filesMax: number): number {
  const room = filesMax - filesOf(sizes)
  if (room < SOCKETS_MIN) {
    throw new StartError(
      `The limit of ${filesMax} open files is too low for ${sizes.gateways} gateways and ` +
        `${sizes.matchers} matchers: raise it to at least ${filesOf(sizes) + SOCKETS_MIN} ` +
        '(ulimit -n).',
    )
  }
  return Math.min(room, sizes.socketsMax * sizes.gateways)
}

/** Returns the connections that one address may open in ten seconds, so that it leaves room. */
export const acceptsWithin = ({ acceptsPerAddress, socketsMax }: Sizes, sockets: number): number =>
  Math.min(acceptsPerAddress, Math.ceil(Math.min(sockets, socketsMax) / ADDRESS_SHARE))
