/** A process that dies between two changes of its files. */
import fs from 'node:fs'
import { expect } from 'vitest'
import { restoreFs, spyOnFs } from '../fixtures/spied-fs.ts'

/** Runs it in a process that dies at the step-th change of a file. Returns false when it ends before. */
export function diesAt(step: number, run: () => void): boolean {
  let steps = 0
  const changes = [
    'mkdirSync',
    'copyFileSync',
    'writeSync',
    'writeFileSync',
    'fdatasyncSync',
    'fsyncSync',
    'renameSync',
    'rmSync',
  ] as const
  for (const name of changes) {
    const change = fs[name] as (...given: unknown[]) => unknown
    spyOnFs(name).mockImplementation((...given: unknown[]) => {
      // A dead process cleans nothing up.
      if (++steps >= step) throw new Error('died')
      return change(...given) as never
    })
  }
  try {
    run()
    return false
  } catch (error) {
    expect((error as Error).message).toContain('died')
    return true
  } finally {
    restoreFs()
  }
}
