/** When a connection counts as silent and as lost, by looks that a browser may hold back. */
import { expect, test } from 'vitest'
import { type Look, Silence } from '../../../src/console/net/silence.ts'

const BEGIN_MS = 1_000

/** Looks as a browser that gives the timer its turn every `everyMs`, from `fromMs` for `lengthMs`. */
function looks(silence: Silence, fromMs: number, lengthMs: number, everyMs: number): Look[] {
  return Array.from({ length: lengthMs / everyMs }, (_, i) =>
    silence.look(fromMs + (i + 1) * everyMs),
  )
}

test('the exchange is asked every two seconds, and answers keep the connection fresh', () => {
  const silence = new Silence(BEGIN_MS)
  for (let i = 0; i < 10; i++) {
    const fromMs = BEGIN_MS + i * 2_000
    const seen = looks(silence, fromMs, 2_000, 500)
    expect(seen.filter(({ isProbeDue }) => isProbeDue)).toHaveLength(1)
    expect(seen.some(({ isSilent, isLost }) => isSilent || isLost)).toBe(false)
    silence.heard(fromMs + 2_000)
  }
})

test('after three seconds it is silent, after twelve lost, and not before', () => {
  const silence = new Silence(BEGIN_MS)
  const seen = looks(silence, BEGIN_MS, 12_500, 500)
  expect(seen.findIndex(({ isSilent }) => isSilent)).toBe(6)
  expect(seen.findIndex(({ isLost }) => isLost)).toBe(24)
  expect(seen[6]!.silentMs).toBe(3_500)
  silence.heard(BEGIN_MS + 12_500)
  expect(silence.look(BEGIN_MS + 13_000)).toMatchObject({ isSilent: false, isLost: false })
})

test('a hidden tab, whose looks come once a minute, asks each time and loses nothing', () => {
  const silence = new Silence(BEGIN_MS)
  const seen = looks(silence, BEGIN_MS, 600_000, 60_000)
  expect(seen.every(({ isProbeDue, isLost }) => isProbeDue && !isLost)).toBe(true)
  // Shown again it is not current before an answer, and lost only after as long as ever.
  expect(seen.at(-1)!.isSilent).toBe(true)
  const shown = looks(silence, BEGIN_MS + 600_000, 12_500, 500)
  expect(shown.findIndex(({ isLost }) => isLost)).toBe(24)
})
