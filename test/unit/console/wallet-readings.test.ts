/** When the operator's screen reads the wallet, and how much of it. */
import { expect, test } from 'vitest'
import { WalletReadings } from '../../../src/console/operator/wallet-readings.ts'
import type { ActionAnswer } from '../../../src/control/listed-action.ts'
import { nothing } from './figures.ts'

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const one: ActionAnswer = { said: '1', rows: [{ chain: 'ETH' }] }
const NAMES = ['chains', 'coin-networks', 'withdrawals']

function begun(answer: () => ActionAnswer | Promise<ActionAnswer> = () => one) {
  const asked: [name: string, given: object][] = []
  const readings = new WalletReadings(async (name, given) => {
    asked.push([name, given])
    return answer()
  })
  const follow = async (events: number) => {
    readings.follow({ ...nothing, wallet: { events } })
    await settled()
    return asked.splice(0)
  }
  return { readings, follow }
}

test('it is read whole when it has changed, and otherwise every few seconds; the oldest 100 withdrawals', async () => {
  const { readings, follow } = begun()
  expect(await follow(3)).toEqual([
    ['chains', {}],
    ['coin-networks', {}],
    ['withdrawals', { undecided: 'on', limit: '100' }],
  ])
  expect(readings.withdrawals.value).toBe(one)
  expect(await follow(4)).toHaveLength(3)
  const counts: number[] = []
  for (let second = 0; second < 6; second++) counts.push((await follow(4)).length)
  expect(counts).toEqual([0, 0, 0, 0, 0, 3])
})

test('without chains nothing else is read', async () => {
  expect(await begun(() => ({ said: '', rows: [] })).follow(0)).toEqual([['chains', {}]])
})

test('one that does not answer is told, and read once at a time', async () => {
  let fail = (_: Error) => {}
  const { readings, follow } = begun(
    () =>
      new Promise((_, reject) => {
        fail = reject
      }),
  )
  expect(await follow(1)).toHaveLength(1)
  expect(await follow(2)).toEqual([])
  fail(new Error('Too many are under way.'))
  await settled()
  expect(readings.trouble.value).toBe('Too many are under way.')
  expect(await follow(3)).toHaveLength(1)
})

test('what an operator who has signed out had asked for is dropped', async () => {
  let answer = (_: ActionAnswer) => {}
  const { readings, follow } = begun(
    () =>
      new Promise((resolve) => {
        answer = resolve
      }),
  )
  await follow(1)
  readings.clear()
  answer(one)
  await settled()
  expect(readings.chains.value.rows).toEqual([])
  expect((await follow(1)).map(([name]) => name)).toEqual(NAMES.slice(0, 1))
})
