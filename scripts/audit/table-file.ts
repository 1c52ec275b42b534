/** Rows as a file, which has its name only once it is whole. */
import fs from 'node:fs'
import { csvLine } from '../../src/base/csv.ts'
import { fileFault } from '../../src/base/file-fault.ts'
import { UsageError } from '../command-line/usage-error.ts'
import type { Row } from './export-rows.ts'

export type Format = 'csv' | 'jsonl'

const CHUNK_LETTERS = 1 << 16

/**
 * Writes the rows and answers how many: as CSV (RFC 4180) below one line of columns, or as one JSON
 * object a line. Throws UsageError when the file cannot be made, else what the file system throws, and
 * leaves no file then.
 */
export function writeTable(
  file: string,
  format: Format,
  columns: readonly string[],
  rows: Iterable<Row>,
): number {
  const partial = `${file}.partial`
  const descriptor = openFile(partial)
  let count = 0
  try {
    let text = format === 'csv' ? csvLine(columns) : ''
    for (const row of rows) {
      const cells = columns.map((column) => row[column]!)
      text += format === 'csv' ? csvLine(cells) : `${JSON.stringify(row)}\n`
      count++
      if (text.length < CHUNK_LETTERS) continue
      fs.writeFileSync(descriptor, text)
      text = ''
    }
    fs.writeFileSync(descriptor, text)
    fs.fsyncSync(descriptor)
  } catch (error) {
    fs.rmSync(partial)
    throw error
  } finally {
    fs.closeSync(descriptor)
  }
  fs.renameSync(partial, file)
  return count
}

function openFile(file: string): number {
  try {
    return fs.openSync(file, 'w')
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${fileFault(error)}.`)
  }
}
