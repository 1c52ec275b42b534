/** Programs that V8 has compiled: their code is used as long as it is theirs, and whole. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { beforeEach, expect, test } from 'vitest'
import { compileProgram, loadProgram } from '../../../src/base/compiled-program.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const folder = folderPerTest()
let file: string
const sourceOf = (value: number) =>
  `const { sep } = require('node:path'); exports.read = () => [${value}, sep, __dirname]`
const load = () => (loadProgram(file) as { read: () => unknown }).read()
const expected = (value: number) => [value, '/', folder()]

beforeEach(() => {
  file = folder('program.cjs')
  writeFileSync(file, sourceOf(1))
  compileProgram(file)
})

test('a program runs, with its code and without', () => {
  expect(load()).toEqual(expected(1))
  writeFileSync(`${file}.code`, '')
  expect(load()).toEqual(expected(1))
  expect(existsSync(`${file}.code.new`)).toBe(false)
})

test('code of another source is not used, though V8 would take it', () => {
  writeFileSync(file, sourceOf(2))
  expect(load()).toEqual(expected(2))
  writeFileSync(file, sourceOf(3))
  const code = readFileSync(`${file}.code`)
  code.writeUInt32LE(crc32(code.subarray(4), crc32(sourceOf(3))))
  writeFileSync(`${file}.code`, code)
  expect(load()).toEqual(expected(1))
})

test('code that is damaged is not used', () => {
  const code = readFileSync(`${file}.code`)
  const at = code.indexOf('read')
  expect(at).toBeGreaterThan(4)
  code.write('lead', at)
  writeFileSync(`${file}.code`, code)
  expect(load()).toEqual(expected(1))
})
