/**
 * Readers of streams that come and go. Some read slowly and some vanish: their connection is reset in
 * the middle of what is sent.
 */
import net from 'node:net'
import WebSocket from 'ws'
import type { Prng } from '../../src/base/prng.ts'
import type { AccountKey } from '../load/keys.ts'
import { openUserStream } from '../load/streams/user-stream.ts'
import type { Target } from '../load/target.ts'
import type { Tally } from './tally.ts'

const READERS_MAX = 24
const LIFE_MS_MIN = 5_000
const LIFE_MS_MAX = 90_000
/** Loopback addresses that they come from: Linux has all of 127.0.0.0/8. */
const ADDRESSES = 4
/** A slow one reads for a moment, then rests. */
const SLOW_REST_MS = 4_000
const SLOW_READ_MS = 50

const streams = [
  'depth@100ms',
  'depth20',
  'trade',
  'aggTrade',
  'kline_1m',
  'kline_1s',
  'bookTicker',
]
const kinds = ['streams', 'streams', 'slow', 'vanishing', 'user'] as const

interface Parts {
  readonly wsUrl: string
  readonly port: number
  readonly symbols: readonly string[]
  readonly keys: readonly AccountKey[]
  readonly target: Target
  readonly tally: Tally
  readonly prng: Prng
}

export class Readers {
  private readonly parts: Parts
  private readonly endings = new Set<() => void>()
  frames = 0

  constructor(parts: Parts) {
    this.parts = parts
  }

  get count(): number {
    return this.endings.size
  }

  /** One more comes, unless there are enough. */
  async come(): Promise<void> {
    if (this.count >= READERS_MAX) return
    const { prng, tally } = this.parts
    const kind = prng.pick(kinds)
    const lifeMs = prng.between(LIFE_MS_MIN, LIFE_MS_MAX)
    const end = kind === 'user' ? await this.user() : await this.streams(kind)
    tally.count(`reader ${kind}`)
    const timer = setTimeout(() => over(), lifeMs)
    const over = () => {
      this.endings.delete(over)
      clearTimeout(timer)
      end()
    }
    this.endings.add(over)
  }

  end(): void {
    for (const over of [...this.endings]) over()
  }

  private async user(): Promise<() => void> {
    const { target, wsUrl, prng, keys } = this.parts
    const socket = await openUserStream({
      target,
      url: `${wsUrl}/ws-api/v3`,
      key: prng.pick(keys),
      onEvent: () => this.frames++,
      onLost: () => this.parts.tally.count('reader closed'),
    })
    return () => socket.close()
  }

  private async streams(kind: 'streams' | 'slow' | 'vanishing'): Promise<() => void> {
    const { wsUrl, port, symbols, prng, tally } = this.parts
    const some = symbols.filter(() => prng.chance(0.6)).map((symbol) => symbol.toLowerCase())
    const names = some.flatMap((symbol) => streams.map((stream) => `${symbol}@${stream}`))
    const localAddress = `127.0.0.${1 + prng.below(ADDRESSES)}`
    const socket = net.connect({ port, host: '127.0.0.1', localAddress })
    const ws = new WebSocket(`${wsUrl}/stream?streams=!miniTicker@arr`, {
      perMessageDeflate: false,
      createConnection: () => socket,
    })
    let isOver = false
    ws.on('error', () => {})
    ws.on('message', () => this.frames++)
    ws.on('close', (code) => {
      if (!isOver) tally.count(`reader closed ${code}`)
    })
    await new Promise((resolve) => ws.once('open', resolve).once('close', resolve))
    if (ws.readyState !== WebSocket.OPEN) return () => {}
    ws.send(JSON.stringify({ method: 'SUBSCRIBE', params: names, id: 1 }))
    const rests = kind === 'slow' ? restsOf(ws) : undefined
    return () => {
      isOver = true
      clearInterval(rests)
      if (kind === 'vanishing') socket.resetAndDestroy()
      else if (kind === 'slow') ws.terminate()
      else ws.close()
    }
  }
}

function restsOf(ws: WebSocket): NodeJS.Timeout {
  ws.pause()
  return setInterval(() => {
    ws.resume()
    setTimeout(() => ws.pause(), SLOW_READ_MS)
  }, SLOW_REST_MS)
}
