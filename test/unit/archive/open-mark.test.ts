/** Which archives a start does not use, because of how the processes before it ended. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { OpenMark } from '../../../src/archive/open-mark.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const SOON = 'The last 3 starts ended soon after they opened the archive.'

const folder = folderPerTest()

/** A process that opens the archive and writes to it, if it may. */
function use(bootId: string | undefined = 'boot'): { mark: OpenMark; lost: string | undefined } {
  const mark = new OpenMark(folder(), bootId)
  const lost = mark.lost()
  if (lost === undefined) {
    mark.begin()
    mark.set()
  }
  return { mark, lost }
}

const file = () => folder('open')

test('it is left after three processes that ended soon, one after the other', () => {
  expect([use().lost, use().lost, use().lost, use().lost]).toEqual([
    undefined,
    undefined,
    undefined,
    SOON,
  ])
})

test('a stop begins the count again, and so does a process that used it for long', () => {
  use()
  use()
  use().mark.clear()
  expect(existsSync(file())).toBe(false)
  use()
  use()
  use().mark.settle()
  expect([use().lost, use().lost, use().lost, use().lost]).toEqual([
    undefined,
    undefined,
    undefined,
    SOON,
  ])
})

test('it is left after another boot, and after a start that ended in the opening', () => {
  use()
  const power = 'Power was lost while the archive was open.'
  expect(use('another').lost).toBe(power)
  new OpenMark(folder(), 'boot').begin()
  expect(readFileSync(file(), 'utf8')).toBe('opening')
  expect(use().lost).toBe('The last start ended while it opened the archive.')
})

test('a file of the version before is that of a first process', () => {
  writeFileSync(file(), 'boot')
  expect([use().lost, use().lost, use().lost]).toEqual([undefined, undefined, SOON])
})
