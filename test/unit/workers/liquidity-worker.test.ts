/** Orders of a market maker without its keys, on a leader that may do nothing for a moment. */

import { pino } from 'pino'
import { expect, test } from 'vitest'
import { RealTime } from '../../../src/base/real-time.ts'
import type { Config } from '../../../src/config/config.ts'
import { LIQUIDITY } from '../../../src/control/operators.ts'
import { LiquidityWorker } from '../../../src/workers/liquidity-worker.ts'
import { hireThreads } from '../../../src/workers/thread-worker.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'
import { ActionBench } from '../control/plain-control-plane.ts'

const MAKER = 'house-maker-BTCUSDT'

test('they are canceled once the quorum confirms the leader again', async () => {
  const data = temporaryFolder()
  const { executor, registry, controlPlane } = await ActionBench.make()
  await executor.act('account-open', { account: MAKER }, LIQUIDITY)
  const { id } = registry.accounts.find(({ name }) => name === MAKER)!
  controlPlane.asked.orders.push({ symbolId: 0, account: id, orderId: 5, time: 1 })
  const config = { data } as Config
  const time = new RealTime()
  const worker = new LiquidityWorker(config, time, pino({ level: 'silent' }), hireThreads(time))
  controlPlane.leader = 'http://another'
  const started = worker.start([], executor, registry)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(controlPlane.done).toEqual([])
  controlPlane.leader = undefined
  expect(await started).toEqual([])
  expect(controlPlane.done.join()).toContain(`"account":${id}`)
})
