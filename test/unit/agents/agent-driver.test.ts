/** How an agent is driven, until it is left. */
import { expect, test } from 'vitest'
import { type DrivenAgent, drive } from '../../../src/agents/agent-driver.ts'

/** An agent with so many pieces left at a stop; `log` has what happened. */
function scene(left: number) {
  const log: string[] = []
  const state = { isOver: false, isEnding: false, hasWork: false }
  const agent: DrivenAgent = {
    name: 'agent',
    idleMsMax: 50,
    hasWork: () => state.hasWork,
    doWork: () => log.push('works'),
    finish: () => {
      if (left === 0) return 0
      log.push('finishes')
      return left--
    },
    close: () => void log.push('closes'),
  }
  const idle = async (hasWork: () => boolean, msMax: number) => {
    log.push(hasWork() ? 'has work' : `idles ${msMax} ms`)
    const cycles = log.filter((it) => it === 'works').length
    state.hasWork = cycles === 0
    state.isOver = cycles === 1
  }
  const run = () =>
    drive(
      agent,
      { idle, turn: async () => void log.push('turns') },
      { isOver: () => state.isOver, isEnding: () => state.isEnding },
    )
  return { log, state, run }
}

test('it idles before each cycle, and turns the loop behind it', async () => {
  const { log, run } = scene(0)
  await run()
  expect(log).toEqual(['idles 50 ms', 'works', 'turns', 'has work', 'works', 'turns', 'closes'])
})

test('at a stop it finishes what is left', async () => {
  const { log, run } = scene(2)
  await run()
  expect(log.slice(6)).toEqual(['finishes', 'turns', 'finishes', 'turns', 'closes'])
})

test('at the end of the process it finishes nothing', async () => {
  const { log, state, run } = scene(2)
  state.isOver = true
  state.isEnding = true
  await run()
  expect(log).toEqual(['closes'])
})
