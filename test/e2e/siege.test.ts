/**
 * The siege in small (scripts/siege.ts): polite clients keep what they received, and a right book, while
 * strangers and key holders attack. And it can fail: an exchange that ends is found.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { attackNamed } from '../../scripts/siege/attacks.ts'
import { isUnharmed, Siege, type SiegeReport } from '../../scripts/siege/siege.ts'
import { act } from './admin-server.ts'

const SEED = 20_266
/** Full size would take minutes to prepare. */
const SCALE = 0.05
/** What a short siege consists of. */
const attacks = [
  'names',
  'order-status',
  'silent-connections',
  'slow-readers',
  'cancel-all',
  'stops',
  'refused-frames',
  'pings',
  'banned',
  'accepts',
  'garbage',
  'forwarded',
  'fragments',
  'everything',
  'listen-keys',
  'parameters',
]

let data = ''
afterEach(() => fs.rmSync(data, { recursive: true, force: true }))

async function siege(
  names: readonly string[],
  seconds: number,
  begun: (adminPort: number) => void,
): Promise<SiegeReport> {
  data = fs.mkdtempSync(path.join(os.tmpdir(), 'ringbook-siege-'))
  const exchange = await Siege.exchangeIn(data, ['--matchers', '1', '--gateways', '1'])
  return new Siege({
    attacks: names.map(attackNamed),
    seconds,
    controlSeconds: 1,
    seed: SEED,
    scale: SCALE,
    exchange,
    said: (sentence) => {
      if (sentence.startsWith('siege:')) begun(exchange.adminPort)
    },
  }).run()
}

test('attacks at once neither end the exchange nor cost polite clients anything', async () => {
  const report = await siege(attacks, 4, () => {})
  expect(report.findings).toEqual([])
  expect(report).toMatchObject({ alive: true, lost: 0, isBookRight: true, isRestarted: true })
  expect(report.compared).toBeGreaterThan(10)
  expect(isUnharmed(report)).toBe(true)
})

test('an exchange that ends is found, and what it acknowledged is compared', async () => {
  const stopped = (adminPort: number) => void act({ data, adminPort }, 'stop', {})
  const report = await siege(['pings'], 5, stopped)
  expect(report).toMatchObject({ alive: false, lost: 0, isRestarted: true })
  expect(report.findings[0]).toContain('it exited with code 0')
  expect(isUnharmed(report)).toBe(false)
})
