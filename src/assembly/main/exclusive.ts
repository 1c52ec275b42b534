/**
 * One process per data folder, one exchange per port. All claims are sockets and locks, which the kernel
 * releases however the process ends.
 */
import { accessSync, constants, mkdirSync, statSync, unlinkSync } from 'node:fs'
import * as net from 'node:net'
import path from 'node:path'
import { fileFault } from '../../base/file-fault.ts'
import { StartError } from '../../base/start-error.ts'
import { flushFolder } from '../../journal/environment.ts'
import { inUseText, lockFolder } from '../../journal/folder-lock.ts'

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
  const inUse = new StartError(inUseText(folder))
  const claim = await listenOn(claimAddress(folder))
  if (claim === undefined) throw inUse
  claim.unref()
  if (process.platform !== 'linux') return claim
  const lock = lockFolder(folder)
  const close = () => {
    lock.close()
    claim.close()
  }
  if (lock.isTaken) {
    close()
    throw inUse
  }
  if (lock.fault !== '') warn(`${folder} is not kept from other containers: ${lock.fault}.`)
  return { close }
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
export async function probePort(
  host: string,
  port: number,
  flag: 'port' | 'sbe-port' = 'port',
): Promise<void> {
  const probe = net.createServer()
  const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    probe.once('error', resolve)
    probe.listen({ host, port, exclusive: true }, () => resolve(undefined))
  })
  if (error !== undefined) throw new StartError(portSentence(flag, host, port, error))
  await new Promise((resolve) => probe.close(resolve))
}

/** Returns what is wrong with a port, and what to do. `flag` is the setting that it comes from. */
export function portSentence(
  flag: 'port' | 'sbe-port' | 'admin-port',
  host: string,
  port: number,
  error: NodeJS.ErrnoException,
): string {
  return error.code === 'EADDRINUSE'
    ? `Port ${port} on ${host} is in use. Stop the program that has it or pass another --${flag}.`
    : `Port ${port} on ${host} cannot be listened on: ${reasonOf(error)}. Pass another --${flag}.`
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
