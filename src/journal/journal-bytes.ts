/**
 * The bytes that the journals of a data folder take on its disk: LMDB files, and sealed segments
 * while their folder is no link to another disk. Write-ahead logs do not count: they are as long at first
 * as at last. A reading looks at few files: a segment never changes once it has its name.
 */
import fs from 'node:fs'
import path from 'node:path'
import { journalFolder } from './lmdb-store.ts'
import { journalsIn } from './recovery.ts'
import { sealedFolder } from './sealed-segments.ts'

export class JournalBytes {
  readonly #dataFolder: string
  /** By journal: the segments that were added up, in the order of their names. */
  readonly #sealed = new Map<number, { count: number; bytes: number }>()

  constructor(dataFolder: string) {
    this.#dataFolder = dataFolder
  }

  /** Throws the file system's error. */
  read(): number {
    const { dev } = fs.statSync(this.#dataFolder)
    return journalsIn(this.#dataFolder)
      .map((journal) => {
        const folder = journalFolder(this.#dataFolder, journal)
        return bytesIn(folder, ['data.mdb']) + this.#sealedBytes(journal, folder, dev)
      })
      .reduce((sum, bytes) => sum + bytes, 0)
  }

  #sealedBytes(journal: number, folder: string, dev: number): number {
    const sealed = sealedFolder(folder)
    if (fs.statSync(sealed, { throwIfNoEntry: false })?.dev !== dev) return 0
    const names = fs.readdirSync(sealed).filter((name) => /^\d/.test(name))
    const before = this.#sealed.get(journal)
    const isGrown = before !== undefined && before.count <= names.length
    const seen = isGrown ? before : { count: 0, bytes: 0 }
    const news = names.sort().slice(seen.count)
    const now = { count: names.length, bytes: seen.bytes + bytesIn(sealed, news) }
    this.#sealed.set(journal, now)
    return now.bytes
  }
}

/** A file that is removed meanwhile counts nothing. */
function bytesIn(folder: string, names: readonly string[]): number {
  return names
    .map((name) => fs.statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, bytes) => sum + bytes, 0)
}
