/**
 * A WebSocket that comes back: after a loss it connects again, later each time, and notifies its owner
 * when it is open. It asks for something now and then: a connection that is silent is lost.
 */

export type SocketState = 'connecting' | 'open' | 'lost'

export interface SocketOwner {
  readonly address: () => string
  /** Called when the connection is open: the owner subscribes again. */
  readonly opened: () => void
  readonly message: (text: string) => void
  readonly changed: (state: SocketState) => void
  /** A request that the exchange always responds to. */
  readonly probe: () => string
}

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 5_000
const PROBE_MS = 5_000
/** Silence after which the connection counts as lost: two probes without a response. */
const SILENCE_MS = 12_000

export class Socket {
  private readonly owner: SocketOwner
  private socket: WebSocket | undefined = undefined
  private waitMs = FIRST_WAIT_MS
  private heardMs = 0
  private timer: number | undefined = undefined
  private probes: number | undefined = undefined
  private isClosed = false

  constructor(owner: SocketOwner) {
    this.owner = owner
    this.connect()
  }

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN
  }

  /** Sends a text if the connection is open. */
  send(text: string): void {
    if (this.isOpen) this.socket!.send(text)
  }

  /** Drops the connection and makes another one. */
  restart(): void {
    this.lose()
  }

  close(): void {
    this.isClosed = true
    clearTimeout(this.timer)
    clearInterval(this.probes)
    this.drop()
  }

  private connect(): void {
    this.owner.changed('connecting')
    const socket = new WebSocket(this.owner.address())
    this.socket = socket
    this.heardMs = performance.now()
    socket.onopen = () => {
      this.waitMs = FIRST_WAIT_MS
      this.owner.changed('open')
      this.owner.opened()
    }
    socket.onmessage = ({ data }) => {
      this.heardMs = performance.now()
      this.owner.message(data as string)
    }
    socket.onclose = () => this.lose()
    clearInterval(this.probes)
    this.probes = setInterval(() => this.look(), PROBE_MS)
  }

  private look(): void {
    if (performance.now() - this.heardMs > SILENCE_MS) this.lose()
    else this.send(this.owner.probe())
  }

  private lose(): void {
    if (this.isClosed || this.socket === undefined) return
    clearInterval(this.probes)
    this.drop()
    this.owner.changed('lost')
    const waitMs = this.waitMs * (0.75 + Math.random() / 2)
    this.waitMs = Math.min(this.waitMs * 2, LONGEST_WAIT_MS)
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.connect(), waitMs)
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
