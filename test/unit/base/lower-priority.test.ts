import { spawn } from 'node:child_process'
import os from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { lowerPriority } from '../../../src/base/lower-priority.ts'

test.runIf(process.platform === 'linux')('a priority is lowered, and never raised', () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)'])
  onTestFinished(() => {
    child.kill()
  })
  const thread = child.pid!
  const own = os.getPriority(thread)
  lowerPriority(thread, own + 2)
  expect(os.getPriority(thread)).toBe(own + 2)
  lowerPriority(thread, own + 1)
  expect(os.getPriority(thread)).toBe(own + 2)
})
