import { describe, expect, test, vi } from 'vitest'
import { oneOf, readFlags, wholeNumber } from '../../../scripts/command-line/tool.ts'
import { UsageError } from '../../../scripts/command-line/usage-error.ts'

const tool = {
  name: 'count',
  about: 'Counts.',
  flags: {
    to: { value: 'N', about: 'How far', default: '10' },
    'aloud-in': { value: 'TONGUE', about: 'For others to hear' },
  },
} as const

describe('flags', () => {
  test('have their defaults, or are undefined', () => {
    expect({ ...readFlags(tool, []) }).toEqual({ to: '10' })
    expect({ ...readFlags(tool, ['--aloud-in', 'Latin', '--to=3']) }).toEqual({
      to: '3',
      'aloud-in': 'Latin',
    })
  })

  test('are told by --help', () => {
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    try {
      expect(readFlags(tool, ['--to', '3', '--help'])).toBeUndefined()
      expect(written.mock.calls).toEqual([
        [
          'Counts.\n\nUsage: npm run count -- [flags]\n\n' +
            '  --to N             How far (default 10).\n' +
            '  --aloud-in TONGUE  For others to hear.\n',
        ],
      ])
    } finally {
      written.mockRestore()
    }
  })

  test.each([[['--from', '1']], [['stray']], [['--to']]])('refuses %j in one line', (args) => {
    const refused = () => readFlags(tool, args)
    expect(refused).toThrow(UsageError)
    expect(refused).toThrow(/^[^\n]+$/)
  })
})

test.each(['0', '-1', '1.5', 'x', ''])('%j is no whole number from 1 on', (text) => {
  expect(() => wholeNumber('to', text)).toThrow(
    `--to must be a whole number of at least 1; it is ${text}.`,
  )
})

test('a choice is one of those that there are', () => {
  expect(wholeNumber('to', '7')).toBe(7)
  expect(oneOf('how', 'b', ['a', 'b'])).toBe('b')
  expect(() => oneOf('how', 'c', ['a', 'b'])).toThrow('--how must be one of a, b; it is c.')
  expect(() => oneOf('how', '', ['a', 'b'])).toThrow('--how must be one of a, b.')
})
