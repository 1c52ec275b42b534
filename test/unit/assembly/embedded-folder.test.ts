/** Temporary folders of embedded exchanges: what a process has left goes at the next start, what lives stays. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  type statfsSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, test, vi } from 'vitest'
import { openEmbeddedFolder } from '../../../src/assembly/embedded-folder.ts'
import { lockFolder } from '../../../src/journal/folder-lock.ts'
import { embeddedFolders } from '../../fixtures/held.ts'
import { restoreFs, spyOnFs } from '../../fixtures/spied-fs.ts'

const HOUR_MS = 3_600_000

/** The pid of a process that has ended. */
const { pid: ended } = spawnSync(process.execPath, ['-e', ''])
const made: { remove(): void }[] = []
afterEach(() => {
  for (const folder of made.splice(0)) folder.remove()
})

const open = (nowMs: number) => {
  const folder = openEmbeddedFolder(undefined, nowMs)
  made.push(folder)
  return folder
}

/** A folder of a process that has ended, with what was in it. */
function leave(where = path.dirname(open(Date.now()).path)): string {
  const folder = mkdtempSync(path.join(where, `ringbook-embedded-${ended}-`))
  mkdirSync(path.join(folder, 'journal-0'))
  made.push({ remove: () => rmSync(folder, { recursive: true, force: true }) })
  return folder
}

test('a folder that a killed process has left is removed by the next start', () => {
  const folders = [leave(), leave(os.tmpdir())]
  open(Date.now() + HOUR_MS)
  expect(folders.map((folder) => existsSync(folder))).toEqual([false, false])
})

test('one that was just made, or that another container has locked, or of a living process stays', () => {
  const young = leave()
  open(Date.now() + 9_000)
  expect(existsSync(young)).toBe(true)
  const locked = leave()
  const lock = lockFolder(locked)
  const own = open(Date.now())
  const ofOwn = lockFolder(own.path)
  expect(ofOwn.isTaken).toBe(true)
  ofOwn.close()
  open(Date.now() + HOUR_MS)
  expect([locked, own.path].map((folder) => existsSync(folder))).toEqual([true, true])
  lock.close()
  open(Date.now() + HOUR_MS)
  expect(existsSync(locked)).toBe(false)
})

test('a start looks at sixteen of those that are left, and the next ones at the rest', () => {
  const where = path.dirname(open(Date.now()).path)
  const left = Array.from({ length: 20 }, () => leave(where))
  const there = () => left.filter((folder) => existsSync(folder)).length
  open(Date.now() + HOUR_MS)
  expect(there()).toBe(4)
  open(Date.now() + HOUR_MS)
  expect(there()).toBe(0)
})

test('without the program flock nothing is removed', () => {
  const left = leave()
  vi.stubEnv('PATH', '/nonexistent')
  try {
    open(Date.now() + HOUR_MS)
    expect(existsSync(left)).toBe(true)
  } finally {
    vi.unstubAllEnvs()
  }
})

test('no folder that is gone stays open', () => {
  leave()
  const own = open(Date.now() + HOUR_MS)
  for (const folder of made.splice(0)) folder.remove()
  expect(existsSync(own.path)).toBe(false)
  const opened = readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`)
    } catch {
      // The descriptor of the list itself.
      return []
    }
  })
  expect(opened.filter((name) => name.includes('ringbook-embedded-'))).toEqual([])
})

test('a folder is in memory while a GiB is free there, else beside other temporary files', () => {
  const free = spyOnFs('statfsSync')
  const dirOf = (blocks: number) => {
    free.mockReturnValue({ bavail: blocks, bsize: 4_096 } as ReturnType<typeof statfsSync>)
    return path.dirname(open(Date.now()).path)
  }
  const dirs = [2 ** 18, 2 ** 18 - 1].map(dirOf)
  restoreFs()
  expect(dirs).toEqual(['/dev/shm', os.tmpdir()])
})

test('many at once add one listener, and leave none', () => {
  const before = process.listenerCount('exit')
  const folders = Array.from({ length: 12 }, () => open(Date.now()))
  expect(process.listenerCount('exit')).toBe(before + 1)
  for (const folder of folders) folder.remove()
  expect(process.listenerCount('exit')).toBe(before)
  expect(embeddedFolders()).toEqual([])
})

test('one that a thread still writes into goes whole', async () => {
  const { path: folder, remove } = open(Date.now())
  const copies = path.join(folder, 'copies')
  mkdirSync(copies)
  const writer = new Worker(
    `const { writeFileSync } = require('node:fs')
     for (let i = 0; ; i++) {
       writeFileSync(require('node:worker_threads').workerData + '/' + i, '')
     }`,
    { eval: true, workerData: copies },
  )
  const ended = once(writer, 'error')
  await vi.waitFor(() => expect(readdirSync(copies).length).toBeGreaterThan(100))
  remove()
  expect(existsSync(folder)).toBe(false)
  const [error] = await ended
  expect(error.code).toBe('ENOENT')
})
