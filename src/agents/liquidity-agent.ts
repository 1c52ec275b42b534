/** Market making as a worker. It has nothing of the exchange but its address, and acts as a client. */
import type { Carry } from '../liquidity/exchange-client.ts'
import { MarketMakers } from '../liquidity/market-makers.ts'
import type { LiquidityStart, ThreadOrder } from './messages.ts'
import { type AgentWays, EventAgent } from './worker-agent.ts'

export class LiquidityAgent extends EventAgent {
  readonly name = 'liquidity'
  private readonly makers: MarketMakers

  /** `carry` takes their requests to a gateway of the same loop; undefined for connections. */
  constructor(start: LiquidityStart, ways: AgentWays, carry?: Carry) {
    const { time, report } = ways
    super(ways)
    this.makers = new MarketMakers({
      ...start,
      time,
      ...(carry && { carry }),
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
