/** Followers that lost their folder, and begin with a backup of another member in a prepared one. */
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isFollowing, type Member } from './members.ts'
import { mount, unmount } from './mounts.ts'

const SECRET = 'secret.key'
const BOUND_MS = 120_000
const PAUSE_MS = 100

/** What the folder is: one that holds the key alone, or a mount point besides, which cannot be renamed. */
export type Prepared = 'key' | 'mount'

/**
 * Takes the folder of a member that does not run, and starts the member with a backup of `source`. Returns
 * what went wrong, in one sentence; undefined when it follows.
 */
export async function seed(
  member: Member,
  source: Member,
  prepared: Prepared,
  backup: string,
): Promise<string | undefined> {
  const { number, exchange } = member
  await source.exchange.operate(['backup', backup])
  prepare(exchange.data, prepared)
  let isOver = false
  const ended = exchange.launch('pipe', ['--seed-from', backup])
  void ended.then(() => {
    isOver = true
  })
  const deadlineMs = performance.now() + BOUND_MS
  const isSeeded = () => exchange.output.includes('seeded the data folder from a backup')
  while (!isSeeded() || !(await isFollowing(member))) {
    if (isOver || performance.now() > deadlineMs) {
      return `member ${number} does not follow from a seed (${prepared}): ${exchange.output}`
    }
    await delay(PAUSE_MS)
  }
  fs.rmSync(backup, { recursive: true })
  return undefined
}

/** Removes all but the key from the folder. */
function prepare(data: string, prepared: Prepared): void {
  const key = fs.readFileSync(path.join(data, SECRET))
  unmount(data)
  fs.rmSync(data, { recursive: true })
  fs.mkdirSync(data)
  if (prepared === 'mount') mount(data)
  fs.writeFileSync(path.join(data, SECRET), key, { mode: 0o600 })
}
