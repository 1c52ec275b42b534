/** Small files beside the databases: made whole or not at all, even when the process or the machine dies. */
import * as fs from 'node:fs'
import path from 'node:path'
import { flushFolder } from './environment.ts'

/**
 * Makes a file with this content, or puts it in place of another one. It and its name are on the disk when
 * the function returns. Only its owner may read it unless `mode` differs.
 */
export function writeWholeFile(file: string, content: string | Uint8Array, mode = 0o600): void {
  const partial = `${file}.partial`
  fs.writeFileSync(partial, content, { mode, flush: true })
  fs.renameSync(partial, file)
  flushFolder(path.dirname(file))
}
