/** The kernel's number of a thread, for requests about its scheduling. */
import { readlinkSync } from 'node:fs'
import path from 'node:path'

/** Returns the calling thread's number; undefined where programs cannot name threads. */
export const threadNumber = (): number | undefined =>
  process.platform === 'linux'
    ? Number(path.basename(readlinkSync('/proc/thread-self')))
    : undefined
