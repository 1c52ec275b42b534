/**
 * One vitest for the runs over a checkout whose files change between them: its start costs more than most of
 * them. A message { changed, tests, only } asks for a run, { passed, failed, output } answers; a run ends with its
 * first failed test.
 */
import path from 'node:path'
import { createVitest } from 'vitest/node'

/** @type {import('vitest/node').Reporter} */
const reporter = {
  onTestCaseResult: (test) => {
    if (test.result().state === 'failed') void vitest.cancelCurrentRun('test-failure')
  },
}
const config = { config: 'test/defects/vitest.config.ts', watch: false, reporters: [reporter] }
const vitest = await createVitest('test', config)

/** @param {{ changed: string[], tests: string[], only?: string }} asked */
async function run({ changed, tests, only }) {
  for (const file of changed) vitest.invalidateFile(path.resolve(file))
  if (only === undefined) vitest.resetGlobalTestNamePattern()
  else vitest.setGlobalTestNamePattern(only)
  const files = new Set(tests.map((test) => path.resolve(`test/${test}.test.ts`)))
  const found = (await vitest.globTestSpecifications()).filter(({ moduleId }) =>
    files.has(moduleId),
  )
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(found)
  const cases = testModules.flatMap(({ children }) => [...children.allTests()])
  const states = cases.map((test) => test.result().state)
  // A file that cannot be loaded has no tests.
  const faults = [
    ...unhandledErrors.map(String),
    ...testModules.flatMap((module) => module.errors().map(({ message }) => message)),
    ...cases.flatMap((test) => test.result().errors ?? []).map(({ message }) => message),
  ]
  return {
    passed: states.filter((state) => state === 'passed').length,
    failed: states.filter((state) => state === 'failed').length,
    output: faults.join('\n'),
  }
}

process.on('message', async (/** @type {Parameters<typeof run>[0]} */ asked) => {
  process.send?.(await run(asked))
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
