/** Files that only their owner may read: made whole or not at all, even when the process dies. */
import { renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { flushFolder } from '../journal/environment.ts'

/** Makes a file of mode 0600 with this content. It is on the disk when the function returns. */
export function makeSecretFile(file: string, content: string | Uint8Array): void {
  const partial = `${file}.partial`
  writeFileSync(partial, content, { mode: 0o600, flush: true })
  renameSync(partial, file)
  flushFolder(path.dirname(file))
}
