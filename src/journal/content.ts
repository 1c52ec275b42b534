/**
 * What of a data folder is its content. A load, a reset and a restore replace all of it and nothing else: states,
 * forks, the operators' token, the name of a member and the claim of the folder stay. A copy, which is a backup, a
 * saved state or a fork, has some of it; the rest is made again from that.
 */
import * as fs from 'node:fs'
import path from 'node:path'

interface Content {
  readonly name: RegExp
  /** What of it a copy is made from: all, or this file of the folder. Left out where a copy does without. */
  readonly copied?: 'all' | 'data.mdb'
}

const JOURNAL = /^journal-\d+$/
export const CONTROL = 'control'
export const SECRET_KEY = 'secret.key'
export const CORRECTIONS = 'clock-corrections'

export const content: readonly Content[] = [
  { name: /^control$/, copied: 'data.mdb' },
  // The write-ahead log beside it is empty, or in the other file already, once a copy is made.
  { name: JOURNAL, copied: 'data.mdb' },
  { name: /^old-journals$/, copied: 'all' },
  { name: /^archive-base$/, copied: 'all' },
  // A copy has one, and an archive that is small.
  { name: /^snapshots$/ },
  { name: /^archive(-\d+)?$/ },
  { name: /^secret\.key$/, copied: 'all' },
  { name: /^clock-corrections$/, copied: 'all' },
  // Files of keys in the clear.
  { name: /^[a-z]+-keys\.json$/, copied: 'all' },
]

/** Whether the name in a data folder is one of its content. */
export const isContent = (name: string): boolean => content.some((it) => it.name.test(name))

/** Names of the files of keys in the clear, which stand beside the journals. */
export const keyFilesIn = (dataFolder: string): readonly string[] =>
  fs.readdirSync(dataFolder).filter((name) => name.endsWith('-keys.json') && isContent(name))

/** Returns about how many bytes a copy of the data folder takes. */
export function copyBytes(dataFolder: string): number {
  let bytes = 0
  for (const name of fs.readdirSync(dataFolder)) {
    const copied = content.find((it) => it.name.test(name))?.copied
    if (copied === undefined) continue
    bytes += diskBytes(path.join(dataFolder, name, ...(copied === 'all' ? [] : [copied])))
  }
  return bytes
}

/** Returns what the content other than journals takes of the disk. */
export const besideJournalsBytes = (dataFolder: string): number =>
  fs
    .readdirSync(dataFolder)
    .filter((name) => isContent(name) && !JOURNAL.test(name))
    .reduce((sum, name) => sum + diskBytes(path.join(dataFolder, name)), 0)

/** Returns what a file, or all files in a folder, take of the disk; 0 when there is none. */
export function diskBytes(file: string): number {
  const found = fs.statSync(file, { throwIfNoEntry: false })
  if (found === undefined) return 0
  if (!found.isDirectory()) return found.blocks * 512
  return namesIn(file).reduce((sum, name) => sum + diskBytes(path.join(file, name)), 0)
}

/** A folder that is removed meanwhile has none. The link of a mark leads back to its data folder. */
function namesIn(folder: string): readonly string[] {
  try {
    return fs
      .readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.isSymbolicLink())
      .map(({ name }) => name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
