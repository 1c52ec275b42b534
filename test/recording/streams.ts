/**
 * Every market stream, alone and combined, in both units of time, while one thing happens after another;
 * and the protocol of subscriptions.
 */
import { operations } from '../../src/api/operations/index.ts'
import { streams } from '../../src/api/streams.ts'
import { eventually } from '../fixtures/eventually.ts'
import type { RecordedSocket } from './recorded-socket.ts'
import type { Params, Stage } from './stage.ts'

const names = streams.map(({ name }) => name.replace('<symbol>', 'btcusdt'))
/** Streams that send at their speed whether anything has happened or not: how many frames is chance. */
const isSteady = (name: string): boolean =>
  /@(avgPrice|depth\d+(@100ms)?|ticker(_\w+)?|miniTicker|kline_.*)$/.test(name)
/** The slowest of them: when it has spoken twice, all have spoken of what happened before. */
const SLOWEST = 'btcusdt@kline_1m'
const placeOrder = operations.find(({ id }) => id === 'placeOrder')!

interface Combined {
  readonly stream: string
  readonly data: { readonly k?: { readonly x: boolean } }
}

export async function recordStreams(stage: Stage): Promise<void> {
  await recordProtocol(stage)
  const place = (account: string, params: Params) =>
    stage.ask('REST', placeOrder, { symbol: 'BTCUSDT', ...params }, { as: stage.key(account) })
  const limit = { type: 'LIMIT', timeInForce: 'GTC' }
  // Klines begin with a first trade.
  await place('maker', { ...limit, side: 'SELL', quantity: 1, price: 50_000 })
  await place('taker', { ...limit, side: 'BUY', quantity: '0.1', price: 50_000 })
  const all = names.join('/')
  const milliseconds = await stage.socket(`/stream?streams=${all}`)
  const microseconds = await stage.socket(`/stream?streams=${all}&timeUnit=MICROSECOND`)
  const sides = ['BUY', 'SELL'] as const
  for (let round = 0; round < 8; round++) {
    await stage.clock.advance([1, 1_003, 61_007, 250][round % 4]!)
    stage.note(`# round ${round}`)
    const side = sides[round % 2]
    const maker = {
      ...limit,
      side,
      quantity: '0.3',
      price: 50_000 + round - (side === 'BUY' ? 5 : 0),
    }
    const taker = { type: 'MARKET', side, quantity: '0.25' }
    await place(round % 3 === 2 ? 'taker' : 'maker', round % 3 === 2 ? taker : maker)
    await recordRound(stage, 'ms', milliseconds)
    await recordRound(stage, 'µs', microseconds)
  }
  await recordRaw(stage)
}

/** Steady streams by their last frame, and by frames of closed klines; others by all of them. */
async function recordRound(stage: Stage, unit: string, socket: RecordedSocket): Promise<void> {
  await socket.reach('"method":"LIST_SUBSCRIPTIONS"')
  const before = socket.frames.length
  await eventually('two rounds of the slowest stream', () => {
    const since = socket.frames.slice(before).filter((frame) => frame.includes(`"${SLOWEST}"`))
    return since.length >= 2 || undefined
  })
  const frames = socket.frames
    .splice(0)
    .map((text) => ({ text, ...(JSON.parse(text) as Combined) }))
  for (const stream of [...new Set(frames.map((frame) => frame.stream))].sort()) {
    const sent = frames.filter((frame) => frame.stream === stream)
    const isKept = ({ data }: Combined) => !isSteady(stream) || data.k?.x === true
    const kept = sent.filter((frame, i) => isKept(frame) || i === sent.length - 1)
    for (const { text } of kept) stage.note(`  ${unit}: ${text}`)
  }
}

/** Frames that are not combined, by connections of one stream each. */
async function recordRaw(stage: Stage): Promise<void> {
  const sockets: [name: string, socket: RecordedSocket][] = []
  for (const name of ['btcusdt@trade', 'btcusdt@aggTrade', 'btcusdt@bookTicker']) {
    sockets.push([name, await stage.socket(`/ws/${name}`)])
  }
  const as = stage.key('taker')
  const sweep = { symbol: 'BTCUSDT', type: 'MARKET', side: 'BUY', quantity: '0.4' }
  // A stream of trades begins when the archive has answered what was before.
  for (const [, socket] of sockets) await socket.reach('"method":"LIST_SUBSCRIPTIONS"')
  await stage.ask('REST', placeOrder, sweep, { as })
  for (const [name, socket] of sockets) {
    await eventually(`a frame of ${name}`, () => socket.frames.length > 0 || undefined)
    await socket.write(name, '"method":"LIST_SUBSCRIPTIONS"')
  }
}

async function recordProtocol(stage: Stage): Promise<void> {
  const socket = await stage.socket('/ws')
  const frames = [
    '{"method":"SUBSCRIBE","params":["adausdt@trade","adausdt@depth"],"id":1}',
    '{"method":"LIST_SUBSCRIPTIONS","id":2}',
    '{"method":"UNSUBSCRIBE","params":["adausdt@trade","nothing"],"id":"three"}',
    '{"method":"LIST_SUBSCRIPTIONS","params":[],"id":null}',
    '{"method":"SET_PROPERTY","params":["combined",true],"id":5}',
    '{"method":"GET_PROPERTY","params":["combined"],"id":6}',
    '{"method":"GET_PROPERTY","params":["other"],"id":7}',
    '{"method":"SET_PROPERTY","params":["combined","x"],"id":8}',
    '{"method":"SET_PROPERTY","params":[1],"id":9}',
    '{"method":"SET_PROPERTY","params":["combined",true,1],"id":10}',
    '{"method":"OTHER","id":11}',
    '{"method":5,"id":12}',
    '{"id":13}',
    '{"method":"SUBSCRIBE","params":[1],"id":14}',
    '{"method":"SUBSCRIBE","params":{},"id":15}',
    '{"method":"SUBSCRIBE","params":["x@y"]}',
    '{"method":"SUBSCRIBE","params":["x@y"],"id":1.5}',
    '{"method":"LIST_SUBSCRIPTIONS","params":["x"],"id":16}',
    '{"method":"LIST_SUBSCRIPTIONS","id":99999999999999999999}',
    'nothing',
    '[]',
    '{"id":1,}',
    '',
  ]
  for (const frame of frames) {
    stage.note(`streams ${frame}`)
    await socket.ask(frame)
  }
}
