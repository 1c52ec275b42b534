/**
 * Writes, where FAILED_FILES names a file, each test file that failed, with a line each: what .ci/run then runs alone.
 * A failure of no file, such as an error that no test file is known for, leaves the file empty, and stays a failure.
 */
import { writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

export class FailedFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const file = process.env.FAILED_FILES
    if (file === undefined) return
    const unknown = errors.some((error) => error.VITEST_TEST_PATH === undefined)
    const failed = modules.filter((module) => isFailed(module) || threw(module, errors))
    writeFileSync(
      file,
      unknown ? '' : failed.map((module) => `${module.relativeModuleId}\n`).join(''),
    )
  }
}

const isFailed = (module: TestModule): boolean =>
  module.state() !== 'passed' && module.state() !== 'skipped'

const threw = (module: TestModule, errors: readonly SerializedError[]): boolean =>
  errors.some((error) => error.VITEST_TEST_PATH === module.moduleId)
