/** How the kernel calls a thread, so that others can ask it to treat the thread in some way. */
import { readlinkSync } from 'node:fs'
import path from 'node:path'

/** The calling thread's number; undefined where the kernel gives threads none that programs take. */
export const threadNumber = (): number | undefined =>
  process.platform === 'linux'
    ? Number(path.basename(readlinkSync('/proc/thread-self')))
    : undefined
