/** The control journal: without gaps, and never ahead of the quorum. */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ControlStore } from '../../../src/journal/control-store.ts'
import { Environment, StorageError, Sync } from '../../../src/journal/environment.ts'
import { ControlKey } from '../../../src/layout/keys.gen.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-control-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('what is appended has been brought to the quorum', () => {
  const brought: [first: number, texts: readonly string[], before: number][] = []
  const store = ControlStore.open(folder, (first, texts) => {
    brought.push([first, texts, store.lastSequence])
  })
  expect(store.append('a')).toBe(1)
  expect(store.appendAll(['b', 'c'])).toBe(3)
  expect(brought).toEqual([
    [1, ['"a"'], 0],
    [2, ['"b"', '"c"'], 1],
  ])
  store.close()
})

test('what the quorum refuses is not appended', () => {
  const store = ControlStore.open(folder)
  store.append('a')
  store.lead(() => {
    throw new StorageError('The quorum is lost.')
  })
  expect(() => store.append('b')).toThrow('The quorum is lost.')
  store.close()
  const again = ControlStore.open(folder)
  expect([...again.entries()]).toEqual(['a'])
  again.close()
})

test('an entry that is missing is named', () => {
  const store = ControlStore.open(folder)
  store.appendAll(['a', 'b', 'c'])
  store.close()
  const environment = new Environment({ folder: path.join(folder, 'control') })
  const table = environment.table()
  environment.write(() => table.remove(new ControlKey().of(2)), Sync.DISK)
  environment.close()
  const damaged = ControlStore.open(folder)
  expect(() => [...damaged.entries()]).toThrow('Entry 2 of the control journal is missing.')
  damaged.close()
})
