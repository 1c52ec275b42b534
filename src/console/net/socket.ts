/**
 * A WebSocket that comes back: after a loss it connects again, later each time, and notifies its owner
 * when it is open. It sends a probe every two seconds: what is shown is current only while something arrives.
 */
import { send } from './api.ts'
import { LOOK_MS, Silence } from './silence.ts'
import { pauseMs } from './weight.ts'

/** `silent` is open and has received nothing lately; `blocked` never opens though the exchange answers. */
export type SocketState = 'connecting' | 'open' | 'silent' | 'lost' | 'blocked'

export interface SocketOwner {
  readonly address: () => string
  /** Called when the connection is open: the owner subscribes again. */
  readonly opened: () => void
  readonly message: (text: string) => void
  /** Called with each state, and while it is `silent` with the time since the last message, ms. */
  readonly changed: (state: SocketState, silentMs: number) => void
  /** A request that the exchange always responds to. */
  readonly probe: () => string
}

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 5_000
/** Connections in a row that failed to open before the page asks why. */
const FAILURES_MAX = 3

/** Shown while the page's connections are `blocked`. */
export const BLOCKED =
  'The exchange answers, but its WebSocket connections do not open: a proxy in between may block them. ' +
  'The page needs them for prices and orders.'

export class Socket {
  private readonly owner: SocketOwner
  private socket: WebSocket | undefined = undefined
  private state: SocketState = 'connecting'
  private failures = 0
  private waitMs = FIRST_WAIT_MS
  private silence = new Silence(performance.now())
  private timer: number | undefined = undefined
  private readonly looks: number
  private isClosed = false
  private readonly look = () => this.lookNow()

  constructor(owner: SocketOwner) {
    this.owner = owner
    this.looks = setInterval(this.look, LOOK_MS)
    document.addEventListener('visibilitychange', this.look)
    this.connectLater()
  }

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN
  }

  /** Hands a text to the connection. Returns false, and does nothing, when none is open. */
  send(text: string): boolean {
    if (!this.isOpen) return false
    this.socket!.send(text)
    return true
  }

  /** Drops the connection and makes another one. */
  restart(): void {
    this.lose()
  }

  close(): void {
    this.isClosed = true
    clearTimeout(this.timer)
    clearInterval(this.looks)
    document.removeEventListener('visibilitychange', this.look)
    this.drop()
  }

  private show(state: SocketState, silentMs = 0): void {
    if (state === this.state && state !== 'silent') return
    this.state = state
    this.owner.changed(state, silentMs)
  }

  private connect(): void {
    if (this.state !== 'blocked') this.show('connecting')
    const socket = new WebSocket(this.owner.address())
    this.socket = socket
    this.silence = new Silence(performance.now())
    socket.onopen = () => {
      this.waitMs = FIRST_WAIT_MS
      this.failures = 0
      this.silence.heard(performance.now())
      this.show('open')
      this.owner.opened()
    }
    socket.onmessage = ({ data }) => {
      this.silence.heard(performance.now())
      this.show('open')
      this.owner.message(data as string)
    }
    socket.onclose = () => this.lose()
  }

  private lookNow(): void {
    if (this.socket === undefined) return
    const { isSilent, isLost, isProbeDue, silentMs } = this.silence.look(performance.now())
    if (isLost) this.lose()
    if (!this.isOpen) return
    if (isSilent) this.show('silent', silentMs)
    if (isProbeDue) this.send(this.owner.probe())
  }

  private lose(): void {
    if (this.isClosed || this.socket === undefined) return
    this.drop()
    this.failures++
    if (this.state !== 'blocked') this.show('lost')
    if (this.failures >= FAILURES_MAX) void this.askWhy()
    const waitMs = this.waitMs * (0.75 + Math.random() / 2)
    this.waitMs = Math.min(this.waitMs * 2, LONGEST_WAIT_MS)
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.connectLater(), waitMs)
  }

  /** In a pause that the exchange demands, no connection is tried either. */
  private connectLater(): void {
    const leftMs = pauseMs()
    if (leftMs === 0) this.connect()
    else this.timer = setTimeout(() => this.connectLater(), Math.min(leftMs, LONGEST_WAIT_MS))
  }

  /** An exchange that answers plain requests, and opens no connection, is behind something that blocks them. */
  private async askWhy(): Promise<void> {
    const isThere = await send('GET', '/api/v3/time', '').then(
      () => true,
      () => false,
    )
    if (this.isClosed || this.failures < FAILURES_MAX) return
    this.show(isThere ? 'blocked' : 'lost')
  }

  private drop(): void {
    const socket = this.socket
    this.socket = undefined
    if (socket === undefined) return
    socket.onopen = null
    socket.onmessage = null
    socket.onclose = null
    socket.close()
  }
}
