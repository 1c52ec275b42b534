/** The archive of a saved state: a copy of it as it is at one moment, or none. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Environment, Sync } from '../../../src/journal/environment.ts'
import { ARCHIVE_BYTES_MAX } from '../../../src/journal/states.ts'
import { copyArchive } from '../../../src/threads/archive-copy.ts'

let data: string
let target: string
beforeEach(() => {
  data = fs.mkdtempSync(path.join(os.tmpdir(), 'ringbook-archive-copy-'))
  target = path.join(data, 'states', 'one.archive')
})
afterEach(() => fs.rmSync(data, { recursive: true, force: true }))

const key = Buffer.from('key')
const write = (environment: Environment, text: string) =>
  environment.write(() => environment.table().put(key, Buffer.from(text)), Sync.KERNEL)
const unsaid = (sentence: string) => expect.unreachable(sentence)

test('a copy has what was written before, in the newest folder, and nothing of later', async () => {
  new Environment({ folder: path.join(data, 'archive') }).close()
  const archive = new Environment({ folder: path.join(data, 'archive-2') })
  write(archive, 'before')
  fs.mkdirSync(target, { recursive: true })
  fs.writeFileSync(path.join(target, 'of before'), '')
  await copyArchive(data, target, unsaid)
  write(archive, 'later')
  archive.close()
  expect(fs.readdirSync(target)).toEqual(['data.mdb'])
  const copy = new Environment({ folder: target })
  expect(Buffer.from(copy.table().get(key)!).toString()).toBe('before')
  copy.close()
})

test('a large one, or none, makes no folder', async () => {
  await copyArchive(data, target, unsaid)
  expect(fs.existsSync(target)).toBe(false)
  const folder = path.join(data, 'archive')
  const archive = new Environment({ folder })
  write(archive, 'x')
  archive.close()
  fs.truncateSync(path.join(folder, 'data.mdb'), ARCHIVE_BYTES_MAX + 1)
  await copyArchive(data, target, unsaid)
  expect(fs.existsSync(target)).toBe(false)
})

test('one that cannot be read makes no folder, and says why', async () => {
  const said: string[] = []
  fs.mkdirSync(path.join(data, 'archive'))
  fs.writeFileSync(path.join(data, 'archive', 'data.mdb'), 'no file of LMDB')
  await copyArchive(data, target, (sentence) => said.push(sentence))
  expect(fs.existsSync(target)).toBe(false)
  expect(said).toEqual([expect.stringMatching(/^The state is saved without the archive: /)])
})
