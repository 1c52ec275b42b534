/**
 * The thread of market making. It has nothing of the exchange but its address, and acts as a client.
 */

import os from 'node:os'
import { RealTime } from '../base/real-time.ts'
import { MarketMakers, type MarketMakersParts } from '../liquidity/market-makers.ts'
import { startedWith } from './start-gate.ts'
import type { LiquidityStart, ThreadOrder, ThreadReport } from './thread-messages.ts'

/** Clients go first. */
const NICENESS = 10

const { port, start } = startedWith<LiquidityStart>()
const report = (message: ThreadReport) => port.postMessage(message)
// On Linux this is the calling thread's alone.
if (process.platform === 'linux') os.setPriority(0, NICENESS)

const parts: MarketMakersParts = {
  ...start,
  time: new RealTime(),
  warn: (message) => report({ report: 'log', level: 'warn', fields: {}, message }),
  say: (fields, message) => report({ report: 'log', level: 'info', fields, message }),
}
const makers = new MarketMakers(parts)
makers.opened.then(() => report({ report: 'ready' }))

port.on('message', async (message: ThreadOrder) => {
  if (message.order === 'trust') makers.trust(message.certificate)
  if (message.order !== 'stop') return
  await makers.stop()
  report({ report: 'stopped' })
  port.close()
})
