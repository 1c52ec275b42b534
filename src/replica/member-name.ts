/**
 * The name of a data folder among the members of a quorum. It is made once, and bound to the place of the
 * folder: a copy of the folder, here or on another machine, makes its own name, so that it is no
 * member's twin.
 *
 *   replica-member   the name; the identity that it was made for
 */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { writeWholeFile } from '../journal/whole-file.ts'
import { QuorumRefusal } from './quorum.ts'

const FILE = 'replica-member'
const NAME = /^[A-Za-z0-9-]{1,64}$/

/** Returns the name; makes one for a new folder, and for a copy. Throws QuorumRefusal over a damaged file. */
export function memberOf(dataFolder: string, machine = readMachine()): string {
  const file = path.join(dataFolder, FILE)
  const identity = `${machine}:${statSync(dataFolder).ino}`
  const [name = '', bound = ''] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  if (existsSync(file) && !NAME.test(name)) {
    throw new QuorumRefusal(
      `The file ${file} holds no name of a member. Remove it: a start makes another name, and a leader's ` +
        'folder then waits for its own silence.',
    )
  }
  if (name !== '' && bound === identity) return name
  // A file without an identity is of an earlier version.
  const named = name !== '' && bound === '' ? name : randomUUID()
  writeWholeFile(file, `${named}\n${identity}\n`)
  return named
}

/** Names this machine; '' where it has no name. */
function readMachine(): string {
  try {
    return readFileSync('/etc/machine-id', 'ascii').trim()
  } catch {
    return ''
  }
}
