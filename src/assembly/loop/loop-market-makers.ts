/** Market makers on the caller's event loop: a client of the exchange, as on its thread. */
import { MarketMakers } from '../../liquidity/market-makers.ts'
import type { LiquidityStart, ThreadOrder } from '../../threads/thread-messages.ts'
import type { LoopDuty, LoopWays } from './loop-worker.ts'

export class LoopMarketMakers implements LoopDuty {
  private readonly ways: LoopWays
  private readonly makers: MarketMakers

  constructor(start: LiquidityStart, ways: LoopWays) {
    const { time, report } = ways
    this.ways = ways
    this.makers = new MarketMakers({
      ...start,
      time,
      warn: (message) => report({ report: 'log', level: 'warn', fields: {}, message }),
      say: (fields, message) => report({ report: 'log', level: 'info', fields, message }),
    })
  }

  async run(): Promise<void> {
    await this.makers.opened
    this.ways.report({ report: 'ready' })
  }

  take(order: ThreadOrder): void {
    if (order.order === 'trust') this.makers.trust(order.certificate)
    if (order.order !== 'stop') return
    void this.makers.stop().then(() => this.ways.report({ report: 'stopped' }))
  }
}
