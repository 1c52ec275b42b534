/**
 * The kernel refuses what a running exchange writes to its files: as a full disk does (a limit of the process,
 * EFBIG), with EIO, as a broken one does, or with EROFS, as one that was remounted read-only. The latter two
 * take strace, and the right to trace.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** System calls that write files alone: a socket is written by others. */
const CALLS = 'pwrite64,pwritev,pwritev2,fdatasync,fsync,msync'
const ERRORS = { broken: 'EIO', 'read-only': 'EROFS' } as const
const LOOK_MS = 20
const ATTACH_MS_MAX = 30_000

export const diskErrors = ['full', 'broken', 'read-only'] as const
export type DiskError = (typeof diskErrors)[number]

/** Whether this machine can make the error. */
export const canRefuse = (error: DiskError): boolean =>
  error === 'full' || spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0

/** Resolves when the kernel refuses all that the process writes. */
export async function refuseWrites(pid: number, error: DiskError): Promise<void> {
  if (error === 'full') {
    execFileSync('prlimit', ['--pid', String(pid), '--fsize=0'])
    return
  }
  const injected = `inject=${CALLS}:error=${ERRORS[error]}`
  const traced = ['-f', '-qq', '-o', '/dev/null', '-e', `trace=${CALLS}`, '-e', injected]
  const strace = spawn('strace', [...traced, '-p', String(pid)], { stdio: 'ignore' })
  const deadlineMs = performance.now() + ATTACH_MS_MAX
  while (!isTraced(pid)) {
    const isOver = strace.exitCode !== null || performance.now() > deadlineMs
    if (isOver) throw new Error('strace cannot trace the exchange')
    await delay(LOOK_MS)
  }
}

/** Whether another process traces all its threads. One that has ended since they were listed writes nothing. */
function isTraced(pid: number): boolean {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.every((thread) => {
    return !/^TracerPid:\s0$/m.test(statusOf(pid, thread))
  })
}

function statusOf(pid: number, thread: string): string {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8')
  } catch {
    return ''
  }
}
