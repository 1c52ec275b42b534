/**
 * A file that stands in the archive's folder while the archive is open, and names the boot that
 * opened it. Nothing of the archive is flushed before it is closed: a killed process leaves it whole
 * in the kernel's hands, and a power loss leaves it in any state. The file tells the two apart.
 * Written by the archive's one writer, around everything else that it does.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { flushFolder } from '#journal/environment.ts'

/** Names this run of the kernel; undefined where the system has no such name. */
export function readBootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'ascii').trim()
  } catch {
    return undefined
  }
}

export class OpenMark {
  readonly #folder: string
  readonly #file: string

  constructor(folder: string) {
    this.#folder = folder
    this.#file = path.join(folder, 'open')
  }

  /**
   * Whether the archive was open when power was lost. Where the system has no boot id (undefined), an
   * archive that was not closed counts as lost.
   */
  powerWasLost(bootId: string | undefined): boolean {
    if (!existsSync(this.#file)) return false
    return bootId === undefined || readFileSync(this.#file, 'utf8') !== bootId
  }

  /** Before the first write. Returns when the mark is on the disk. */
  set(bootId: string | undefined): void {
    writeFileSync(this.#file, bootId ?? '', { flush: true })
    flushFolder(this.#folder)
  }

  /** After the archive was flushed and closed. */
  clear(): void {
    rmSync(this.#file)
    flushFolder(this.#folder)
  }
}
