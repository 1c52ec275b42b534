/**
 * The bytes that the journals of a data folder take on its disk: LMDB files, and sealed segments
 * while their folder is no link to another disk. Write-ahead logs do not count: they are as long at first
 * as at last. A reading looks at few files: a segment never changes once it has its name.
 */
import * as fs from 'node:fs'
import path from 'node:path'
import { journalFolder } from './lmdb-store.ts'
import { journalsIn } from './recovery.ts'
import { sealedFolder, segmentsIn } from './sealed-segments.ts'

export class JournalBytes {
  private readonly dataFolder: string
  /** By file: the bytes of a segment. */
  private readonly segments = new Map<string, number>()

  constructor(dataFolder: string) {
    this.dataFolder = dataFolder
  }

  /** Throws the file system's error. */
  read(): number {
    const { dev } = fs.statSync(this.dataFolder)
    return journalsIn(this.dataFolder)
      .map((journal) => {
        const folder = journalFolder(this.dataFolder, journal)
        return bytesOf(path.join(folder, 'data.mdb')) + this.sealedBytes(folder, dev)
      })
      .reduce((sum, bytes) => sum + bytes, 0)
  }

  private sealedBytes(folder: string, dev: number): number {
    const sealed = sealedFolder(folder)
    if (fs.statSync(sealed, { throwIfNoEntry: false })?.dev !== dev) return 0
    return segmentsIn(folder).reduce((sum, { file }) => sum + this.segmentBytes(file), 0)
  }

  private segmentBytes(file: string): number {
    const bytes = this.segments.get(file) ?? bytesOf(file)
    this.segments.set(file, bytes)
    return bytes
  }
}

/** A file that is removed meanwhile counts nothing. */
const bytesOf = (file: string): number => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
