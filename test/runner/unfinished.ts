/** Names, behind all else that a run prints, each test file that its process did not live to finish. */
import type { Reporter, TestModule } from 'vitest/node'

export class Unfinished implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const entries = modules.filter(isUnfinished).map(entryOf)
    if (entries.length === 0) return
    process.stdout.write(
      `\nUNFINISHED: the process of a test file ended before its tests.\n\n${entries.join('\n')}\n`,
    )
  }
}

const isUnfinished = (module: TestModule): boolean =>
  module.state() === 'pending' || module.state() === 'queued'

function entryOf(module: TestModule): string {
  const ended = [...module.children.allTests()].filter((test) => test.result().state !== 'pending')
  const last = ended.at(-1)?.fullName
  return `  ${module.relativeModuleId}, ${last === undefined ? 'at its first test' : `after "${last}"`}`
}
