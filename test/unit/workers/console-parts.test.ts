/** What the settings let a gateway serve of the console. */
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parseConfig } from '../../../src/config/config.ts'
import { readConsole } from '../../../src/workers/console-parts.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'

const key = { account: 'maker', apiKey: 'a'.repeat(64), secretKey: 's' }
const data = temporaryFolder()

const demoKeys = (...flags: readonly string[]) =>
  readConsole(parseConfig(['--data', data, ...flags], {}, () => '').config!).demoKeys

test.each<[what: string, text: string, keys: readonly object[]]>([
  ['keys', JSON.stringify([key]), [key]],
  ['a list of other things', JSON.stringify([null, 1, { account: 'x' }, key]), [key]],
  ['no list', '{}', []],
  ['no JSON', '[', []],
])('a file of %s', (_, text, keys) => {
  writeFileSync(path.join(data, 'demo-keys.json'), text)
  expect(demoKeys()).toEqual(keys)
  expect(demoKeys('--demo-sign-in', 'off')).toEqual([])
  expect(demoKeys('--console', 'off')).toEqual([])
})

test('a folder without the file offers none, and no console has no files', () => {
  rmSync(path.join(data, 'demo-keys.json'))
  expect(demoKeys()).toEqual([])
  const { config } = parseConfig(['--data', data, '--console', 'off'], {}, () => '')
  expect(readConsole(config!)).toEqual({ files: [], docs: expect.any(Array), demoKeys: [] })
})
