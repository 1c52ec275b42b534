import { expect, test } from 'vitest'
import { openLog } from '../../../../src/assembly/main/log-output.ts'
import { parseConfig } from '../../../../src/config/config.ts'

/** Everything written to a log with these flags. */
function written(flags: readonly string[], isTerminal: boolean): string {
  let text = ''
  const output = {
    write: (chunk: string) => {
      text += chunk
    },
  }
  const { log, print } = openLog(parseConfig(flags, {}, () => '').config!, isTerminal, output)
  log.info({ url: 'http://127.0.0.1:1', symbols: 6, why: 'two words' }, 'open')
  log.warn('a setting is unknown')
  log.fatal({ reason: 'Error: no\n    at line 1', thread: 0 }, 'a thread failed')
  print?.('banner\n')
  return text
}

const textOnly = [
  /^\d\d:\d\d:\d\d UTC open url=http:\/\/127\.0\.0\.1:1 symbols=6 why="two words"$/,
  /^\d\d:\d\d:\d\d UTC warning: a setting is unknown$/,
  /^\d\d:\d\d:\d\d UTC fatal: a thread failed thread=0$/,
  /^reason: Error: no$/,
  /^ {4}at line 1$/,
  /^banner$/,
]

test.each([
  [[], true],
  [['--log-format', 'text'], false],
  [['--log-format', 'text'], true],
])('%j, terminal %j: lines and a banner for people', (flags, isTerminal) => {
  const lines = written(flags, isTerminal).trimEnd().split('\n')
  expect(lines).toHaveLength(textOnly.length)
  for (const [index, line] of lines.entries()) expect(line).toMatch(textOnly[index]!)
})

test.each([
  [[], false],
  [['--log-format', 'json'], true],
])('%j, terminal %j: JSON lines alone', (flags, isTerminal) => {
  const lines = written(flags, isTerminal).trimEnd().split('\n')
  const messages = lines.map((line) => JSON.parse(line).msg)
  expect(messages).toEqual(['open', 'a setting is unknown', 'a thread failed'])
})

test('a log that keeps quiet has no banner', () => {
  const text = written(['--log-format', 'text', '--log-level', 'warn'], true)
  expect(text).not.toContain('banner')
  expect(text).not.toContain('open')
  expect(text).toContain('a setting is unknown')
})
