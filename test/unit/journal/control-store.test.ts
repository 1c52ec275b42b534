/** The control journal: without gaps, and never ahead of the quorum. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ControlStore } from '../../../src/journal/control-store.ts'
import { Environment, StorageError, Sync } from '../../../src/journal/environment.ts'
import { ControlKey } from '../../../src/layout/keys.gen.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const folder = folderPerTest()

test('what is appended has been brought to the quorum', () => {
  const brought: [first: number, texts: readonly string[], before: number][] = []
  const store = ControlStore.open(folder(), {
    before: (first, texts) => brought.push([first, texts, store.lastSequence]),
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
  const store = ControlStore.open(folder())
  store.append('a')
  store.lead(() => {
    throw new StorageError('The quorum is lost.')
  })
  expect(() => store.append('b')).toThrow('The quorum is lost.')
  store.close()
  const again = ControlStore.open(folder())
  expect([...again.entries()]).toEqual(['a'])
  again.close()
})

test('an entry that is missing is named', () => {
  const store = ControlStore.open(folder())
  store.appendAll(['a', 'b', 'c'])
  store.close()
  const environment = new Environment({ folder: folder('control') })
  const table = environment.table()
  environment.write(() => table.remove(new ControlKey().of(2)), Sync.DISK)
  environment.close()
  expect(() => ControlStore.open(folder())).toThrow('Entry 2 of the control journal is missing.')
})

const fileOf = (name: string) => folder('control', name)

function append(...values: readonly string[]): void {
  const store = ControlStore.open(folder())
  store.appendAll(values)
  store.close()
}

test('an older copy of the values, or changed ones, are refused', () => {
  append('a')
  cpSync(fileOf('data.mdb'), folder('older'))
  append('b', 'c')
  const data = readFileSync(fileOf('data.mdb'))
  cpSync(folder('older'), fileOf('data.mdb'))
  expect(() => ControlStore.open(folder())).toThrow(
    /ends with entry 1, and control\/last names entry 3: what is between was lost. Put /,
  )
  data[data.lastIndexOf('"b"') + 1]! ^= 4
  writeFileSync(fileOf('data.mdb'), data)
  expect(() => ControlStore.open(folder())).toThrow('its first 3 entries do not match control/last')
})

test('a quorum may have what is missing; until then the mark stays', () => {
  append('a')
  cpSync(fileOf('data.mdb'), folder('older'))
  append('b', 'c')
  cpSync(folder('older'), fileOf('data.mdb'))
  const doubts: string[] = []
  const store = ControlStore.open(folder(), { doubted: (sentence) => doubts.push(sentence) })
  expect(doubts).toHaveLength(1)
  store.append('b')
  store.close()
  expect(() => ControlStore.open(folder())).toThrow(
    'ends with entry 2, and control/last names entry 3',
  )
  const again = ControlStore.open(folder(), { doubted: () => {} })
  again.append('c')
  again.close()
  ControlStore.open(folder()).close()
})

test('a mark that is behind is of a kill, and one that is gone or changed is made again', () => {
  append('a')
  const older = readFileSync(fileOf('last'))
  append('b')
  writeFileSync(fileOf('last'), older)
  const behind = ControlStore.open(folder())
  expect(behind.markFault).toBeUndefined()
  behind.close()
  for (const damage of [
    () => rmSync(fileOf('last')),
    () => writeFileSync(fileOf('last'), ''),
    () => writeFileSync(fileOf('last'), Buffer.from(older).fill('9', 2, 3)),
  ]) {
    damage()
    const store = ControlStore.open(folder())
    expect(store.markFault).toMatch(/control\/last is (missing|damaged)\./)
    store.append('c')
    store.close()
    const sound = ControlStore.open(folder())
    expect(sound.markFault).toBeUndefined()
    sound.close()
  }
})
