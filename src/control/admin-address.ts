/**
 * The file of a data folder that says on which port its exchange serves operators, and in which process, while it
 * runs. One that a killed exchange left behind is told by its process, which is gone.
 */
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { settings } from '../config/settings.ts'
import { writeWholeFile } from '../journal/whole-file.ts'

const fileIn = (dataFolder: string): string => path.join(dataFolder, 'admin-port')
const ADDRESS = /^(\d{1,5}) (\d{1,10})$/

export interface AdminAddress {
  readonly port: number
  /** The exchange's process where it is gone: it was killed. */
  readonly killed: number | undefined
}

export const writeAdminPort = (dataFolder: string, port: number): void =>
  writeWholeFile(fileIn(dataFolder), `${port} ${process.pid}\n`)

export const removeAdminPort = (dataFolder: string): void =>
  rmSync(fileIn(dataFolder), { force: true })

/** Returns where operators ask: the given port, else that of the folder's exchange, else the usual one. */
export const adminAddress = (dataFolder: string, given: number | undefined): AdminAddress =>
  (given === undefined ? readAdminAddress(dataFolder) : undefined) ?? {
    port: given ?? settings.adminPort.default,
    killed: undefined,
  }

/** Returns undefined where no exchange of this release runs or was killed. */
function readAdminAddress(dataFolder: string): AdminAddress | undefined {
  try {
    const [, port, id] = ADDRESS.exec(readFileSync(fileIn(dataFolder), 'utf8').trim())!
    const processId = Number(id)
    return { port: Number(port), killed: isGone(processId) ? processId : undefined }
  } catch {
    return undefined
  }
}

function isGone(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return false
  } catch (error) {
    // A process of another user refuses the signal with EPERM.
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
