/** The file of alert targets: what it must hold, and whose it must be. */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { beforeEach, expect, test } from 'vitest'
import { readAlertFile, TARGETS_MAX } from '../../../../src/assembly/main/alert-file.ts'
import { alerts } from '../../../../src/telemetry/alerts.ts'
import { folderPerTest } from '../../../fixtures/temporary-folder.ts'

const folder = folderPerTest()
let file: string
beforeEach(() => {
  file = folder('alerts.toml')
})

const write = (text: string, mode = 0o600) => {
  fs.writeFileSync(file, text)
  fs.chmodSync(file, mode)
}
const WEBHOOK = 'webhooks = ["https://hooks.example/1"]\n'

test('names webhooks, commands, severities, and what is off', () => {
  write(`${WEBHOOK}commands = [["/bin/page", "--to", "night"]]
severities = ["page"]
off = ["RingbookWarnings"]`)
  expect(readAlertFile(file)).toEqual({
    webhooks: ['https://hooks.example/1'],
    commands: [['/bin/page', '--to', 'night']],
    severities: ['page'],
    off: ['RingbookWarnings'],
  })
  write(WEBHOOK, 0o644)
  expect(readAlertFile(file)).toMatchObject({ commands: [], severities: ['page', 'warn'], off: [] })
})

test.each([0o620, 0o602, 0o666, 0o777])('a file of mode %o is refused', (mode) => {
  write(WEBHOOK, mode)
  expect(() => readAlertFile(file)).toThrow('can be written by others: chmod go-w.')
})

test.runIf(process.geteuid?.() === 0)('a file of another user is refused', () => {
  write(WEBHOOK)
  fs.chownSync(file, 65_534, 65_534)
  expect(() => readAlertFile(file)).toThrow("must belong to the exchange's user.")
})

test('what is no file, too large, or not there, is refused, and a pipe blocks nothing', () => {
  expect(() => readAlertFile(file)).toThrow(/^The file .* cannot be read: /)
  expect(() => readAlertFile(folder())).toThrow('is no file.')
  write(`# ${'x'.repeat(64 * 1_024)}`)
  expect(() => readAlertFile(file)).toThrow('has more than 65536 bytes.')
  fs.rmSync(file)
  execFileSync('mkfifo', [file])
  expect(() => readAlertFile(file)).toThrow('is no file.')
})

const many = (count: number) =>
  `webhooks = [${Array.from({ length: count }, (_, at) => `"http://h/${at}"`).join()}]`

test.each([
  ['', 'there must be 1 to 8 webhooks and commands'],
  [many(TARGETS_MAX + 1), 'there must be 1 to 8 webhooks and commands'],
  ['webhooks = ["ftp://h"]', 'webhooks must be http or https URLs'],
  ['webhooks = "http://h"', 'webhooks must be http or https URLs'],
  ['commands = [["page"]]', 'commands must be lists of an absolute path'],
  ['commands = [[]]', 'commands must be lists of an absolute path'],
  ['commands = ["/bin/page"]', 'commands must be lists of an absolute path'],
  ['commands = [["/bin/page", "a\\u0000b"]]', 'commands must be lists of an absolute path'],
  [`${WEBHOOK}severities = ["all"]`, 'severities must be of page and warn'],
  [`${WEBHOOK}off = ["RingbookNoSuch"]`, 'off must be names of alerts'],
  [
    `${WEBHOOK}shell = true`,
    'shell is not known there, only webhooks, commands, severities or off',
  ],
  ['webhooks = [', 'cannot be read: line '],
])('a file of %j is refused', (text, fault) => {
  write(text)
  expect(() => readAlertFile(file)).toThrow(fault)
})

test('as many targets as there may be are taken, and every alert may be off', () => {
  const off = JSON.stringify(alerts.map(({ name }) => name))
  write(`${many(TARGETS_MAX)}\noff = ${off}`)
  expect(readAlertFile(file).off).toHaveLength(alerts.length)
})
