/**
 * Names, behind all else that a run prints, each test that passed only at its second try, with the error
 * of the first. Such a test has found a defect, of the code or of itself.
 */
import type { Reporter, TestCase, TestModule } from 'vitest/node'

export class SecondTries implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const again = modules
      .flatMap(({ children }) => [...children.allTests()])
      .filter((test) => test.diagnostic()?.flaky === true)
    if (again.length === 0) return
    const headline = `SECOND TRIES: ${again.length} passed only when run again. Each is a defect.`
    process.stdout.write(`\n${[headline, ...again.map(entryOf)].join('\n\n')}\n`)
  }
}

function entryOf(test: TestCase): string {
  const { errors = [] } = test.result()
  const texts = errors.map(({ message, stack = '' }) => [message, stack].join('\n'))
  return [`  ${test.module.relativeModuleId} > ${test.fullName}`, ...texts].join('\n')
}
