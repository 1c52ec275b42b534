/** Names of members: one for each folder, and none for two. */
import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { memberOf } from '../../../src/replica/member-name.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const parent = folderPerTest()
let folder = ''
beforeEach(() => {
  folder = parent('data')
  fs.mkdirSync(folder)
})

const file = () => path.join(folder, 'replica-member')

test('a folder keeps its name, which is the first line of its file', () => {
  const name = memberOf(folder, 'one')
  expect(name).toMatch(/^[0-9a-f-]{36}$/)
  expect(memberOf(folder, 'one')).toBe(name)
  expect(fs.readFileSync(file(), 'utf8').split('\n')[0]).toBe(name)
  expect(fs.readdirSync(folder)).toEqual(['replica-member'])
})

test('a copy of a folder, here or on another machine, has a name of its own', () => {
  const name = memberOf(folder, 'one')
  const copy = parent('copy')
  fs.cpSync(folder, copy, { recursive: true })
  const other = memberOf(copy, 'one')
  expect(other).not.toBe(name)
  expect(memberOf(copy, 'one')).toBe(other)
  expect(memberOf(folder, 'one')).toBe(name)
  expect(memberOf(folder, 'two')).not.toBe(name)
})

test('a name of an earlier version is kept, and bound to its place', () => {
  fs.writeFileSync(file(), 'an-earlier-name\n')
  expect(memberOf(folder, 'one')).toBe('an-earlier-name')
  expect(memberOf(folder, 'two')).not.toBe('an-earlier-name')
})

test.each([
  ['empty', ''],
  ['an empty line', '\nplace\n'],
  ['zeros of a torn write', '\0\0\0\0'],
  ['too long', 'a'.repeat(65)],
])('a file that is damaged is refused with what to do, and stays: %s', (_, content) => {
  fs.writeFileSync(file(), content)
  expect(() => memberOf(folder, 'one')).toThrow(
    /replica-member holds no name of a member. Remove it/,
  )
  expect(fs.readFileSync(file(), 'utf8')).toBe(content)
})
