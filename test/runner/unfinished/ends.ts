/** A test file whose process ends meanwhile; run by test/runner/reporters.test.ts. */
import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'vitest'

test('holds', () => {})

test('ends the process', async () => {
  // What has ended is reported by then: that is due on the same loop, much sooner.
  await delay(1_000)
  process.kill(process.pid, 'SIGKILL')
})
