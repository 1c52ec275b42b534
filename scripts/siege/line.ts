/**
 * One TCP connection of an attack, from its own source address. It connects again when it ends.
 * It drops what its peer does not take in time, so a generator's memory stays bounded.
 */
import net from 'node:net'

/** Bytes that wait for the peer; what comes beyond is dropped. */
const BACKLOG_BYTES_MAX = 4 * 1024 * 1024
/** A WebSocket's frames follow its upgrade after this, whether or not the peer has answered. */
const READY_MS = 1_000
/** Connections that one generator may make in all. */
const CONNECTIONS_MAX = 100_000

export interface Front {
  readonly host: string
  readonly port: number
}

export interface LineOptions {
  readonly localAddress: string
  /** Sent first on each connection. */
  readonly first?: Buffer
  /** Whether the peer needs time for `first` before more may follow. */
  readonly isUpgrade?: boolean
  /** Never reads when false. */
  readonly reads: boolean
  /** Connects again so long after an end; never when undefined. */
  readonly againMs?: number
  /** Called each time when more may be sent. */
  readonly onReady?: (line: Line) => void
}

/** What generators count; the sums of one process. */
export interface Tally {
  connections: number
  refused: number
  sentBytes: number
  receivedBytes: number
  droppedBytes: number
}

export class Line {
  private readonly front: Front
  private readonly options: LineOptions
  private readonly tally: Tally
  private socket!: net.Socket
  private isReady = false
  private isEnded = false

  constructor(front: Front, options: LineOptions, tally: Tally) {
    this.front = front
    this.options = options
    this.tally = tally
    this.connect()
  }

  /** Returns false when nothing was sent: not ready, or the peer does not take what it was sent. */
  write(bytes: Buffer): boolean {
    if (!this.isReady) return false
    if (this.socket.writableLength > BACKLOG_BYTES_MAX) {
      this.tally.droppedBytes += bytes.length
      return false
    }
    this.tally.sentBytes += bytes.length
    this.socket.write(bytes)
    return true
  }

  /** Ends the connection by a reset, for good unless it connects again. */
  reset(): void {
    if (!this.isEnded) this.socket.resetAndDestroy()
  }

  private connect(): void {
    const { localAddress, first, isUpgrade, reads } = this.options
    const socket = net.connect({ ...this.front, localAddress, noDelay: true })
    this.socket = socket
    this.isReady = false
    this.isEnded = false
    this.tally.connections++
    if (reads) {
      socket.on('data', (chunk) => {
        this.tally.receivedBytes += chunk.length
      })
    } else socket.pause()
    let timer: NodeJS.Timeout | undefined
    const ready = () => {
      this.isReady = true
      this.options.onReady?.(this)
    }
    socket.once('connect', () => {
      if (first !== undefined) {
        this.tally.sentBytes += first.length
        socket.write(first)
      }
      if (isUpgrade === true) timer = setTimeout(ready, READY_MS)
      else ready()
    })
    socket.on('error', () => {
      this.tally.refused++
    })
    socket.once('close', () => {
      clearTimeout(timer)
      this.isReady = false
      this.isEnded = true
      const { againMs } = this.options
      if (againMs === undefined || this.tally.connections >= CONNECTIONS_MAX) return
      setTimeout(() => this.connect(), againMs)
    })
  }
}
