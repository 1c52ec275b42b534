/** How an agent is driven, until it is done or left. */
import { expect, test } from 'vitest'
import type { Agent } from '../../../src/agents/agent.ts'
import {
  AgentInvoker,
  type IdleStrategy,
  idleOnLoop,
  runAgent,
} from '../../../src/agents/agent-driver.ts'
import { ManualClock, ManualTime } from '../../../src/base/manual-time.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import { Ms } from '../../../src/base/units.ts'
import { DOORBELL_BYTES, Doorbell } from '../../../src/ring/doorbell.ts'

/** An agent whose cycles do these amounts of work; `log` has what happened. */
class Scene implements Agent {
  readonly name = 'agent'
  readonly log: string[] = []
  readonly waitsFor: Doorbell | Promise<void>
  readonly idleMsMax = 50
  private readonly cycles: number[]

  constructor(
    cycles: readonly number[],
    waitsFor: Agent['waitsFor'] = new Doorbell(new SharedArrayBuffer(DOORBELL_BYTES)),
  ) {
    this.cycles = [...cycles]
    this.waitsFor = waitsFor
  }

  start(): undefined {
    this.log.push('starts')
  }

  doWork(): number {
    const done = this.cycles.shift() ?? 0
    this.log.push(`does ${done}`)
    return done
  }

  hasWork(): boolean {
    return (this.cycles[0] ?? 0) > 0
  }

  get isDone(): boolean {
    return this.cycles.length === 0
  }

  close(): void {
    this.log.push('closes')
  }
}

test('the runner starts the agent, idles after each cycle, and closes the agent once it is done', async () => {
  const scene = new Scene([3, 0, 1])
  const idle: IdleStrategy = (_, done) => void scene.log.push(`idles after ${done}`) as undefined
  await runAgent(scene, idle)
  expect(scene.log).toEqual([
    ...['starts', 'does 3', 'idles after 3', 'does 0', 'idles after 0', 'does 1', 'closes'],
  ])
})

test('an agent that fails is not closed', async () => {
  const scene = new Scene([1, 1])
  const error = new Error('why')
  scene.doWork = () => {
    throw error
  }
  await expect(runAgent(scene, () => undefined)).rejects.toBe(error)
  expect(scene.log).toEqual(['starts'])
})

test('an invoker runs a cycle at each call, and none once the agent is closed', () => {
  const scene = new Scene([2, 0, 4])
  const invoker = new AgentInvoker(scene)
  void invoker.start()
  expect([invoker.invoke(), invoker.invoke(), invoker.isClosed]).toEqual([2, 0, false])
  expect([invoker.invoke(), invoker.isClosed, invoker.invoke()]).toEqual([4, true, 0])
  invoker.close()
  expect(scene.log).toEqual(['starts', 'does 2', 'does 0', 'does 4', 'closes'])
})

test('an invoker may leave an agent that is not done', () => {
  const scene = new Scene([1, 1])
  const invoker = new AgentInvoker(scene)
  invoker.close()
  expect([invoker.invoke(), scene.log]).toEqual([0, ['closes']])
})

test('on a loop it sleeps until the bell rings', async () => {
  const scene = new Scene([0, 0, 0])
  const time = new ManualTime(new ManualClock(Ms(0)), new RealTime())
  let wakes = 0
  const sleeping = idleOnLoop(time)(scene, 0)!.then(() => wakes++)
  await new Promise<void>((resolve) => time.defer(resolve))
  expect(wakes).toBe(0)
  ;(scene.waitsFor as Doorbell).ring()
  await sleeping
  // Its timer is forgotten.
  expect([wakes, time.nextInMs]).toEqual([1, undefined])
})

test('or until so much time has passed', async () => {
  const scene = new Scene([0, 0, 0])
  const time = new ManualTime(new ManualClock(Ms(0)), new RealTime())
  const sleeping = idleOnLoop(time)(scene, 0)
  time.advance(scene.idleMsMax)
  await sleeping
})

test('with work it only lets the loop turn', async () => {
  const time = new ManualTime(new ManualClock(Ms(0)), new RealTime())
  await idleOnLoop(time)(new Scene([0, 0]), 1)
  await idleOnLoop(time)(new Scene([1, 0]), 0)
})

test('an agent that waits for events sleeps until it is done', async () => {
  const time = new ManualTime(new ManualClock(Ms(0)), new RealTime())
  await idleOnLoop(time)(new Scene([0, 0], Promise.resolve()), 0)
})
