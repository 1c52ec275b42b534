/** Market making as a worker. It has nothing of the exchange but its address, and acts as a client. */
import { MarketMakers } from '../liquidity/market-makers.ts'
import { EventAgent } from './event-agent.ts'
import type { LiquidityStart, ThreadOrder } from './thread-messages.ts'
import type { AgentWays } from './worker-agent.ts'

export class LiquidityAgent extends EventAgent {
  readonly name = 'liquidity'
  private readonly makers: MarketMakers

  constructor(start: LiquidityStart, ways: AgentWays) {
    const { time, report } = ways
    super(ways)
    this.makers = new MarketMakers({
      ...start,
      time,
      warn: (message) => report({ report: 'log', level: 'warn', fields: {}, message }),
      say: (fields, message) => report({ report: 'log', level: 'info', fields, message }),
    })
  }

  start(): undefined {
    void this.makers.opened.then(() => this.ways.report({ report: 'ready' }))
  }

  take(order: ThreadOrder): void {
    if (order.order === 'trust') this.makers.trust(order.certificate)
    if (order.order === 'stop') void this.makers.stop().then(() => this.finish())
  }
}
