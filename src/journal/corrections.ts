/**
 * The corrections of the clock beside the journals, for what reads blocks: `DATA/clock-corrections`, a JSON list. The
 * control journal has them; each start makes the file agree with it before anything reads a block.
 */
import * as fs from 'node:fs'
import path from 'node:path'
import type { Correction } from '../base/corrections.ts'
import { CORRECTIONS } from './content.ts'
import { StorageError } from './environment.ts'
import { writeWholeFile } from './whole-file.ts'

const fileOf = (dataFolder: string): string => path.join(dataFolder, CORRECTIONS)

/** Returns them in their order; none without the file. Throws StorageError for a damaged one. */
export function readCorrections(dataFolder: string): readonly Correction[] {
  const file = fileOf(dataFolder)
  if (!fs.existsSync(file)) return []
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new StorageError(`${file} is damaged. Remove it: the next start makes it again.`)
  }
}

/** Makes the file again if it is damaged. A folder whose clock was never corrected has none. */
export function storeCorrections(dataFolder: string, corrections: readonly Correction[]): void {
  const file = fileOf(dataFolder)
  const text = JSON.stringify(corrections)
  if (corrections.length === 0) fs.rmSync(file, { force: true })
  else if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== text)
    writeWholeFile(file, text)
}
