/**
 * A file that stands in the archive's folder while the archive is open, and names the boot that
 * opened it. Nothing of the archive is flushed before it is closed: a killed process leaves it whole
 * in the kernel's hands, and a power loss leaves it in any state. The file distinguishes the two. Until the
 * first transaction is done it names no boot: LMDB may end the process over what is damaged, and a start
 * that comes to such a file does not try again. Later it may still do so, in a query for instance: the
 * file counts the processes that ended soon, one after the other, and the third is the last that tries.
 * Written by the archive's one writer, around everything else that it does.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { flushFolder } from '../journal/environment.ts'
import { readBootId } from '../journal/flush-mark.ts'

const OPENING = 'opening'
/** Processes in a row that may end soon after they opened the archive. */
const SHORT_MAX = 3

export class OpenMark {
  private readonly folder: string
  private readonly file: string
  private readonly bootId: string | undefined
  /** Processes before this one that ended soon, one after the other; -1 once this one has not. */
  private short = 0

  constructor(folder: string, bootId = readBootId()) {
    this.bootId = bootId
    this.folder = folder
    this.file = path.join(folder, 'open')
  }

  /**
   * Why the archive is not to be used, in a sentence; undefined when it may be. Where the system has no
   * boot id, an archive that was not closed counts as open when power was lost.
   */
  lost(): string | undefined {
    if (!existsSync(this.file)) return undefined
    const mark = readFileSync(this.file, 'utf8')
    if (mark === OPENING) return 'The last start ended while it opened the archive.'
    const [boot, before = '0'] = mark.split(' ')
    if (this.bootId === undefined || boot !== this.bootId) {
      return 'Power was lost while the archive was open.'
    }
    this.short = Number(before) + 1
    if (this.short < SHORT_MAX) return undefined
    return `The last ${SHORT_MAX} starts ended soon after they opened the archive.`
  }

  /** Whether all that the archive has noted is still there: it was closed, or the system has run since. */
  get isKept(): boolean {
    if (!existsSync(this.file)) return true
    const [boot] = readFileSync(this.file, 'utf8').split(' ')
    return this.bootId !== undefined && boot === this.bootId
  }

  /** Call it before the first write. Returns when the mark is on the disk. */
  begin(): void {
    writeFileSync(this.file, OPENING, { flush: true })
    flushFolder(this.folder)
  }

  /** Once the archive has shown that it can be written. */
  set(): void {
    writeFileSync(this.file, `${this.bootId ?? ''} ${this.short}`, { flush: true })
  }

  /** Once the process has used it for so long that its end is no longer soon. */
  settle(): void {
    this.short = -1
    this.set()
  }

  /** Call it after the archive was flushed and closed. */
  clear(): void {
    rmSync(this.file)
    flushFolder(this.folder)
  }
}
