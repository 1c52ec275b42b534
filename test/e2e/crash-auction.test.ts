/**
 * Kill -9 while an auction's orders trade, proven by a matcher that stands still among them: the start continues
 * to the end of the auction, and makes no trade twice.
 */
import { afterEach, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'
import { expectUncrossed, standStillInUncrossing } from './half-uncrossed.ts'
import { DEBUGGABLE } from './thread-stall.ts'

let exchange: ExchangeProcess
afterEach(() => exchange?.remove())

test('an auction that a kill has cut is continued by the next start', async () => {
  process.env.NODE_OPTIONS = DEBUGGABLE
  exchange = await ExchangeProcess.start(FEW_THREADS).finally(() => delete process.env.NODE_OPTIONS)
  const known = await standStillInUncrossing(exchange)
  await exchange.stop('SIGKILL')
  await exchange.run()
  await expectUncrossed(exchange, known)
})
