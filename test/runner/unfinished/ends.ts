/** A test file whose process ends meanwhile; run by test/runner/reporters.test.ts. */
import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'vitest'

test('holds', () => delay(500))

test('ends the process', () => {
  process.kill(process.pid, 'SIGKILL')
})
