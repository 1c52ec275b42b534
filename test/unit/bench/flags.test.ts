import { describe, expect, test, vi } from 'vitest'
import { readSettings } from '../../../bench/harness/flags.ts'
import { UsageError } from '../../../scripts/command-line/usage-error.ts'

const flags = {
  rounds: 7,
  capacitySeconds: 10,
  readers: [1, 10],
  trades: { usual: 100, mayBeZero: true },
} as const

describe('the flags of a bench', () => {
  test('have their defaults', () => {
    const usual = { rounds: 7, capacitySeconds: 10, readers: [1, 10], trades: 100 }
    expect(readSettings(flags, [])).toEqual(usual)
  })

  test('are spelled with hyphens', () => {
    const args = '--rounds 3 --capacity-seconds=4 --readers 5,6 --trades 0'.split(' ')
    const settings = { rounds: 3, capacitySeconds: 4, readers: [5, 6], trades: 0 }
    expect(readSettings(flags, args)).toEqual(settings)
  })

  test('are shown by --help, with their defaults', () => {
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    try {
      expect(readSettings(flags, ['--help'])).toBeUndefined()
      const rows = '  --rounds 7\n  --capacity-seconds 10\n  --readers 1,10\n  --trades 100\n'
      expect(written.mock.calls).toEqual([[expect.stringContaining(rows)]])
    } finally {
      written.mockRestore()
    }
  })

  test.each([
    ['--no-such-flag 1', '--no-such-flag'],
    ['--capacitySeconds 1', '--capacitySeconds'],
    ['stray', 'stray'],
    ['--rounds', '--rounds'],
    ['--rounds x', '--rounds must be a whole number of at least 1; it is x.'],
    ['--rounds 0', '--rounds must be a whole number of at least 1; it is 0.'],
    ['--trades -1', '--trades'],
    ['--trades many', '--trades must be a whole number of at least 0; it is many.'],
    ['--readers 5,,6', '--readers must be a whole number of at least 1; it is .'],
  ])('refuses %s in one line', (words, part) => {
    const refused = () => readSettings(flags, words.split(' '))
    expect(refused).toThrow(UsageError)
    expect(refused).toThrow(/^[^\n]+$/)
    expect(refused).toThrow(part)
  })
})
