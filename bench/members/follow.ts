/**
 * `npm run bench -- follow [--trades 1000] [--seconds 10]`: how far a follower is behind. A
 * reader at the leader and one at the follower receive each trade of a quiet market; `p50Ms` and `p99Ms`
 * are between the two. Then orders come as fast as the leader takes them, and readers of one and of two
 * followers count frames.
 */
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import WebSocket from 'ws'
import type { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import type { Flags, SettingsOf } from '../harness/flags.ts'
import { type BenchResult, printTable, quantile } from '../harness/report.ts'
import { load, Plans } from '../wire/load.ts'
import { signedBy, tradingPlan } from '../wire/workload.ts'
import { Exchanges } from './exchanges.ts'

export const flags = { trades: 1_000, seconds: 10 } as const satisfies Flags

const STREAM = 'btcusdt@trade'
const PAUSE_MS = 5
const CONNECTIONS = 64
const TRADING_ROUNDS = 2_500
const BOUND_MS = 60_000
const WARMUP_SECONDS = 3

class Reader {
  /** By trade id: when its frame came. */
  readonly timesMs = new Map<number, number>()
  private readonly socket: WebSocket

  constructor(exchange: ExchangeProcess) {
    this.socket = new WebSocket(`${exchange.wsUrl}/ws/${STREAM}`)
    this.socket.on('message', (data) => {
      const nowMs = performance.now()
      this.timesMs.set(Number(JSON.parse(data.toString()).t), nowMs)
    })
  }

  async open(): Promise<this> {
    await once(this.socket, 'open')
    return this
  }

  close(): void {
    this.socket.terminate()
  }
}

export async function run(settings: SettingsOf<typeof flags>): Promise<BenchResult> {
  const exchanges = await Exchanges.start()
  try {
    const follower = await exchanges.follow()
    await measureFrames(exchanges, WARMUP_SECONDS)
    const behindMs = await measureDelay(exchanges.leader, follower, settings.trades)
    const one = await measureFrames(exchanges, settings.seconds)
    await exchanges.follow()
    const two = await measureFrames(exchanges, settings.seconds)
    const [p50Ms, p99Ms] = [0.5, 0.99].map((share) => quantile(behindMs, share))
    printTable("Trades at a follower's reader after the leader's", [
      ['p50 ms', 'p99 ms', 'frames/s of one follower', 'of two'],
      [p50Ms!, p99Ms!, one.followers, two.followers],
    ])
    return {
      ratios: { framesOverLeader: one.followers / one.leader },
      figures: {
        p50Ms: p50Ms!,
        p99Ms: p99Ms!,
        framesPerSecondOne: one.followers,
        framesPerSecondTwo: two.followers,
      },
    }
  } finally {
    await exchanges.remove()
  }
}

/** Trades one by one. Returns ms from each frame at the leader's reader to that at the follower's. */
async function measureDelay(
  leader: ExchangeProcess,
  follower: ExchangeProcess,
  trades: number,
): Promise<readonly number[]> {
  const [here, there] = await Promise.all([new Reader(leader).open(), new Reader(follower).open()])
  const keys = leader.keys()
  const [maker, taker] = ['trader1', 'trader2'].map(
    (account) => new SignedClient(leader.url, keys[account]!),
  )
  for (let trade = 0; trade < trades; trade++) {
    // The money goes to and fro.
    const [seller, buyer] = trade % 2 === 0 ? [maker, taker] : [taker, maker]
    await place(seller!, 'SELL')
    await place(buyer!, 'BUY')
    await delay(PAUSE_MS)
  }
  const deadlineMs = performance.now() + BOUND_MS
  while (there!.timesMs.size < trades) {
    if (performance.now() > deadlineMs) throw new Error('trades never came to the follower')
    await delay(PAUSE_MS)
  }
  for (const reader of [here!, there!]) reader.close()
  return [...here!.timesMs].map(([id, ms]) => there!.timesMs.get(id)! - ms)
}

async function place(client: SignedClient, side: string): Promise<void> {
  const order = { symbol: 'BTCUSDT', side, type: 'LIMIT', timeInForce: 'GTC' }
  const params = { ...order, quantity: '0.001', price: '50000' }
  const { status, body } = await client.send('POST', '/api/v3/order', params)
  if (status !== 200) throw new Error(`an order was refused: ${JSON.stringify(body)}`)
}

interface Frames {
  readonly leader: number
  /** Frames per second of all followers together. */
  readonly followers: number
}

/** Frames per second of one reader at each member, while orders come as fast as they are taken. */
async function measureFrames({ leader, followers }: Exchanges, seconds: number): Promise<Frames> {
  const keys = leader.keys()
  const [maker, taker, one, two] = ['maker', 'taker', 'trader1', 'trader2'].map((it) => keys[it]!)
  const accounts = signedBy(maker!, taker!, one!, two!)
  const plans = new Plans()
  const here = await new Reader(leader).open()
  const there = await Promise.all(followers.map((it) => new Reader(it).open()))
  try {
    await load({
      port: leader.port,
      plan: plans.write('follow', tradingPlan(accounts, TRADING_ROUNDS)),
      connections: CONNECTIONS,
      cycle: true,
      require: '"orderId":',
      seconds,
    })
    const rate = ({ timesMs }: Reader) => timesMs.size / seconds
    return { leader: rate(here), followers: there.reduce((sum, it) => sum + rate(it), 0) }
  } finally {
    plans.remove()
    for (const reader of [here, ...there]) reader.close()
  }
}
