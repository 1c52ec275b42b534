/** What the sender of withdrawals leaves behind. The payments themselves: unit/agents/payments. */
import type { Logger } from 'pino'
import { expect, test } from 'vitest'
import { PaymentSender } from '../../../../src/assembly/main/payment-sender.ts'
import { ManualClock, ManualTime } from '../../../../src/base/manual-time.ts'
import { Ms } from '../../../../src/base/units.ts'
import type { Payment } from '../../../../src/shared/payment.ts'

const tick = () => new Promise((resolve) => setImmediate(resolve))

test('a payment that fails is tried again once, and by nobody once the sender is closed', async () => {
  const time = new ManualTime(new ManualClock(Ms(0)))
  let calls = 0
  const sign = async () => {
    calls++
    throw new Error('the node is not there')
  }
  const port = { isUndoable: false, sign, send: sign }
  const log = { warn: () => {} } as unknown as Logger
  const sender = new PaymentSender({ port, time, log, journal: () => {} })
  const payment = { withdrawalId: 1, txId: '' } as Payment
  sender.take([payment])
  sender.take([payment])
  await tick()
  expect([calls, time.timerCount]).toEqual([2, 1])
  time.advance(1_000)
  sender.close()
  await tick()
  expect([calls, time.timerCount]).toEqual([3, 0])
})
