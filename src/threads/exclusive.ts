/**
 * One process per data folder, one exchange per port. All claims are sockets and locks, which the kernel
 * releases however the process ends.
 */
import { spawnSync } from 'node:child_process'
import {
  accessSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  statSync,
  unlinkSync,
} from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { fileFault } from '../base/file-fault.ts'
import { flushFolder } from '../journal/environment.ts'

/** Why the exchange cannot start, in one sentence for the operator. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** In the data folder: an empty file, which the process that runs on the folder has locked (Linux). */
export const LOCK_FILE = 'claim.lock'

/** A folder that no other process runs on until this one closes the claim, or ends. */
export interface Claim {
  close(): void
}

/**
 * Creates the folder when it is missing, checks that it can be written, and claims it. Throws StartError.
 * Calls `warn` with a sentence when nothing keeps processes of other containers off the folder.
 */
export async function claimDataFolder(
  folder: string,
  warn: (sentence: string) => void = () => {},
): Promise<Claim> {
  try {
    makeFolder(folder)
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new StartError(`The data folder ${folder} cannot be written: ${reasonOf(error)}.`)
  }
  const inUse = new StartError(`The data folder ${folder} is in use by another running Ringbook.`)
  const claim = await listenOn(claimAddress(folder))
  if (claim === undefined) throw inUse
  claim.unref()
  if (process.platform !== 'linux') return claim
  const file = openSync(path.join(folder, LOCK_FILE), 'a', 0o600)
  const close = () => {
    closeSync(file)
    claim.close()
  }
  const lock = lockOf(file)
  if (lock === 'taken') {
    close()
    throw inUse
  }
  if (lock !== 'locked') warn(`${folder} is not kept from other containers: ${lock}.`)
  return { close }
}

/**
 * Locks an open file. The lock belongs to what this process has open, not to the program that sets it, and
 * holds over namespaces, which have abstract sockets of their own. Node.js itself cannot lock. Returns why
 * it is not locked otherwise.
 */
function lockOf(file: number): 'locked' | 'taken' | string {
  // The file is the program's descriptor 3.
  const stdio = ['ignore', 'ignore', 'pipe', file] as const
  const { status, error, stderr } = spawnSync('flock', ['-n', '3'], { stdio: [...stdio] })
  if (error !== undefined) return `the program flock cannot be run, ${fileFault(error)}`
  if (status === 0) return 'locked'
  return status === 1 ? 'taken' : `its file system refuses a lock, ${String(stderr).trim()}`
}

/** Creates a folder and its parents. Node.js's own way never ends where a folder cannot be, as in /proc. */
function makeFolder(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found?.isDirectory()) return
  if (found === undefined) makeFolder(path.dirname(path.resolve(folder)))
  mkdirSync(folder, { mode: 0o700 })
  // What is acknowledged must be found under this name after a power loss.
  flushFolder(path.dirname(path.resolve(folder)))
}

/** Throws when another process listens on the port. The gateways then share it. */
export async function probePort(host: string, port: number): Promise<void> {
  const probe = net.createServer()
  const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    probe.once('error', resolve)
    probe.listen({ host, port, exclusive: true }, () => resolve(undefined))
  })
  if (error !== undefined) throw new StartError(portSentence(host, port, error))
  await new Promise((resolve) => probe.close(resolve))
}

/** Returns the sentence for a port that cannot be listened on. */
export function portSentence(host: string, port: number, error: NodeJS.ErrnoException): string {
  return error.code === 'EADDRINUSE'
    ? `Port ${port} on ${host} is in use.`
    : `Port ${port} on ${host} cannot be listened on: ${reasonOf(error)}.`
}

/**
 * On Linux a name in the abstract socket namespace, made from the folder's device and inode; it
 * leaves no file behind. Elsewhere a socket file in the folder.
 */
function claimAddress(folder: string): string {
  if (process.platform !== 'linux') return path.resolve(folder, 'claim.sock')
  const { dev, ino } = statSync(folder)
  return `\0ringbook-data-folder-${dev}-${ino}`
}

async function listenOn(address: string): Promise<net.Server | undefined> {
  const attempt = () =>
    new Promise<net.Server | undefined>((resolve) => {
      const server = net.createServer((socket) => socket.destroy())
      server.once('error', () => resolve(undefined))
      server.listen(address, () => resolve(server))
    })
  const first = await attempt()
  if (first !== undefined || address.startsWith('\0')) return first
  const alive = await new Promise<boolean>((resolve) => {
    const socket = net.connect(address)
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
  })
  if (alive) return undefined
  unlinkSync(address)
  return attempt()
}

/** A folder that exists as something else cannot be made. */
function reasonOf(error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException
  return code === 'ENOTDIR' || code === 'EEXIST' ? 'it is not a folder' : fileFault(error)
}
