/** Withdrawals of a matcher that is killed around each step of their payment. */
import { expect, test } from 'vitest'
import { ManualClock, ManualTime } from '../../../src/base/manual-time.ts'
import { Prng } from '../../../src/base/prng.ts'
import { Ms } from '../../../src/base/units.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'
import { Node, payBetweenKills, Run } from './payment-run.ts'

const folder = folderPerTest()

test('kills lose nothing, and pay nothing twice', () => payBetweenKills(folder, 58, 25))

test('a batch has 16 commands of the wallet', async () => {
  const run = new Run(folder, new Node(new Prng(1)), new ManualTime(new ManualClock(Ms(1_000))))
  for (let i = 0; i < 40; i++) run.apply(10, `w-${i}`)
  for (let cycle = 0; cycle < 6; cycle++) await run.cycle()
  expect(run.state.lastWithdrawalId).toBe(40)
  expect(run.batchCommandsMax).toBe(16)
  run.kill()
})
