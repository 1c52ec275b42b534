/** An exchange whose limits are soon reached: what refuses, what it charges, and bans. */
import { operations } from '../../src/api/operations/index.ts'
import { ENTRANCES, type Entrance, type Stage } from './stage.ts'

export const LIMIT_FLAGS: readonly string[] = [
  ...['--weight-limit', '300', '--ban-after', '4', '--ban-seconds', '100'],
  ...['--orders-per-second', '3', '--orders-per-day', '12'],
]

const named = (id: string) => operations.find((operation) => operation.id === id)!
const order = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.01',
}

export async function recordLimits(stage: Stage): Promise<void> {
  for (const entrance of ENTRANCES) {
    stage.note(`# limits by ${entrance}`)
    await recordWeights(stage, entrance)
    await recordOrders(stage, entrance, entrance === 'REST' ? 'trader1' : 'trader2')
  }
  await recordBan(stage)
}

/** Weights by rule, on success, without a symbol and refused. */
async function recordWeights(stage: Stage, entrance: Entrance): Promise<void> {
  await stage.clock.advance(60_000)
  for (const limit of [1, 100, 101, 500, 0, 'x']) {
    await stage.ask(entrance, named('depth'), { symbol: 'BTCUSDT', limit })
  }
  await stage.clock.advance(60_000)
  await stage.ask(entrance, named('depth'), { symbol: 'NOSUCH', limit: 1_000 })
  await stage.ask(entrance, named('tickerPrice'), {})
  await stage.ask(entrance, named('ticker24hr'), {})
  await stage.ask(entrance, named('ticker'), { symbols: '["BTCUSDT","ETHUSDT"]', windowSize: 'x' })
  const as = stage.key('maker')
  const prevented = { symbol: 'NOSUCH', orderId: 1 }
  await stage.ask(entrance, named('myPreventedMatches'), prevented, { as })
}

async function recordOrders(stage: Stage, entrance: Entrance, account: string): Promise<void> {
  const as = stage.key(account)
  for (let i = 0; i < 9; i++) {
    if (i % 5 === 4) await stage.clock.advance(1_000)
    await stage.ask(entrance, named('placeOrder'), { ...order, price: 40_000 + i }, { as })
  }
  const replacement = {
    ...order,
    price: 39_000,
    cancelReplaceMode: 'STOP_ON_FAILURE',
    cancelOrigClientOrderId: 'nothing',
  }
  for (const orderRateLimitExceededMode of ['DO_NOTHING', 'CANCEL_ONLY']) {
    const params = { ...replacement, orderRateLimitExceededMode }
    await stage.ask(entrance, named('replaceOrder'), params, { as })
  }
  const oco = {
    symbol: 'BTCUSDT',
    side: 'SELL',
    quantity: '0.01',
    aboveType: 'LIMIT_MAKER',
    abovePrice: 90_000,
    belowType: 'STOP_LOSS',
    belowStopPrice: 30_000,
  }
  for (let i = 0; i < 5; i++) {
    await stage.clock.advance(1_000)
    await stage.ask(entrance, named('placeOco'), oco, { as })
  }
  await stage.ask(entrance, named('orderCounts'), {}, { as })
  await stage.ask(entrance, named('cancelOpenOrders'), { symbol: 'BTCUSDT' }, { as })
}

/** Over both entrances at once, since a ban is the address's. */
async function recordBan(stage: Stage): Promise<void> {
  await stage.clock.advance(60_000)
  const depth = { symbol: 'BTCUSDT', limit: 1_000 }
  for (let i = 0; i < 9; i++) await stage.ask('REST', named('depth'), depth)
  await stage.clock.advance(99_000)
  await stage.ask('REST', named('ping'), {})
  await stage.clock.advance(60_000)
  await stage.ask('REST', named('ping'), {})
  const socket = await stage.socket('/ws-api/v3')
  const frame = '{"id":1,"method":"depth","params":{"symbol":"BTCUSDT","limit":1000}}'
  for (let i = 0; i < 12; i++) await socket.ask(frame)
  await socket.ended()
}
