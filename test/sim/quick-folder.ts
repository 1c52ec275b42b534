/**
 * A new folder where files cost least: in memory, if there is room, since every life fills write-ahead
 * logs again.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const MEMORY = '/dev/shm'
/** Several times what the write-ahead logs of one exchange take; containers often have less. */
const ROOM_BYTES = 512 << 20

export function makeQuickFolder(prefix: string): string {
  return fs.mkdtempSync(path.join(hasRoom() ? MEMORY : os.tmpdir(), prefix))
}

function hasRoom(): boolean {
  if (!fs.existsSync(MEMORY)) return false
  const { bavail, bsize } = fs.statfsSync(MEMORY)
  return bavail * bsize >= ROOM_BYTES
}
