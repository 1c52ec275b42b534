import { expect, test } from 'vitest'
import { parseConfig } from '../../../src/config.ts'
import { reserve } from '../../../src/threads/memory.ts'

const configOf = (...flags: string[]) =>
  parseConfig(['--accounts', '8', ...flags], {}, () => '').config!

test.each([
  ['the defaults', [], undefined],
  [
    'few orders, a small ring',
    ['--orders-per-symbol', '1024', '--event-ring-bytes', '1048576'],
    undefined,
  ],
  [
    'a ring that a whole book overruns',
    ['--orders-per-symbol', '393216', '--event-ring-bytes', '1048576'],
    '--event-ring-bytes must be at least 3932160 for --orders-per-symbol 393216; it is 1048576.',
  ],
  [
    'books that outgrew the ring',
    ['--orders-per-symbol', '8388608'],
    '--event-ring-bytes must be at least 83886080 for --orders-per-symbol 8388608; it is 4194304.',
  ],
])('%s: %j', (_, flags, sentence) => {
  const reserved = () => reserve(configOf(...flags), [])
  if (sentence === undefined) expect(reserved).not.toThrow()
  else expect(reserved).toThrow(sentence)
})
