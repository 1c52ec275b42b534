/** One connection at a time to what is fuzzed: each input is sent whole and its answer awaited. */
import net from 'node:net'
import { handshake } from '../fixtures/handshake.ts'
import { expectDecoded, type Message, readMessage } from '../fixtures/sbe.ts'
import type { Input } from './wire-inputs.ts'

/** What came back for one input: nothing when the connection was closed instead. */
export interface Reply {
  readonly status: number
  readonly text: string
  /** Whether the server announces that it closes the connection. */
  readonly isLast?: boolean
}

const HEAD_END = '\r\n\r\n'
/** A connection is left for another after so many inputs. */
const INPUTS_MAX = 500

export abstract class Lane {
  private readonly port: number
  private socket: net.Socket | undefined = undefined
  private _received = Buffer.alloc(0)
  private inputs = 0
  private wake: () => void = () => {}

  constructor(port: number) {
    this.port = port
  }

  /** Sends the input; answers what came, or undefined when the connection ended. */
  async give(input: Input): Promise<Reply | undefined> {
    if (this.socket === undefined || this.inputs++ > INPUTS_MAX) await this.connect()
    const socket = this.socket!
    socket.write(input.bytes)
    // What is no whole request may be waited for for ever: nothing follows it.
    if (!input.isWhole) socket.end()
    for (;;) {
      const reply = this.parse()
      if (reply !== undefined && input.isWhole) {
        if (reply.isLast === true) this.close()
        return reply
      }
      if (this.socket === undefined) return reply
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    }
  }

  close(): void {
    this.socket?.destroy()
    this.socket = undefined
  }

  /** Takes the next answer out of what was received. */
  protected abstract parse(): Reply | undefined
  /** The address of a WebSocket; undefined for HTTP. */
  protected abstract readonly upgrade: string | undefined

  protected get received(): Buffer {
    return this._received
  }

  protected take(bytes: number): Buffer {
    const taken = this._received.subarray(0, bytes)
    this._received = this._received.subarray(bytes)
    return taken
  }

  private async connect(): Promise<void> {
    this.close()
    this.inputs = 0
    this._received = Buffer.alloc(0)
    const socket = net.connect(this.port, '127.0.0.1')
    this.socket = socket
    socket.on('data', (data) => {
      if (this.socket !== socket) return
      this._received = this._received.length === 0 ? data : Buffer.concat([this._received, data])
      this.wake()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      if (this.socket === socket) this.socket = undefined
      this.wake()
    })
    if (this.upgrade === undefined) return
    socket.write(handshake(this.upgrade))
    while (!this._received.includes(HEAD_END)) {
      if (this.socket === undefined) throw new Error('a connection was refused')
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    }
    this.take(this._received.indexOf(HEAD_END) + HEAD_END.length)
  }
}

export class HttpLane extends Lane {
  protected override readonly upgrade = undefined

  protected override parse(): Reply | undefined {
    const end = this.received.indexOf(HEAD_END)
    if (end < 0) return undefined
    const head = this.received.subarray(0, end).toString('latin1')
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    const bytes = end + HEAD_END.length + length
    if (this.received.length < bytes) return undefined
    const body = this.take(bytes).subarray(end + HEAD_END.length)
    const isMessage = /content-type: application\/sbe/i.test(head)
    const text = isMessage ? textOf(readMessage(expectDecoded(body))) : body.toString()
    return { status: Number(head.slice(9, 12)), text, isLast: /connection: close/i.test(head) }
  }
}

/** Each input asks for a WebSocket, which is left at once. */
export class HandshakeLane extends HttpLane {
  protected override parse(): Reply | undefined {
    const reply = super.parse()
    return reply && { ...reply, isLast: true }
  }
}

/** What of a message concerns the judge, as the JSON of the same answer has it. */
const textOf = ({ name, values }: Message): string =>
  name === 'ErrorResponse' ? JSON.stringify({ code: Number(values.code) }) : '{}'

const LENGTH_OF_16_BITS = 126
const LENGTH_OF_64_BITS = 127
const [TEXT, BINARY, CLOSE] = [1, 2, 8]

export class SocketLane extends Lane {
  protected override readonly upgrade: string

  constructor(port: number, address: string) {
    super(port)
    this.upgrade = address
  }

  /** The next frame that answers: events of streams are passed over. */
  protected override parse(): Reply | undefined {
    for (let frame = this.frame(); frame !== undefined; frame = this.frame()) {
      const reply = this.replyOf(frame)
      if (reply !== undefined) return reply
    }
    return undefined
  }

  /** Undefined for an event. */
  protected replyOf(frame: Buffer): Reply | undefined {
    const text = frame.toString()
    const answer = JSON.parse(text)
    if ('e' in answer || 'stream' in answer || 'event' in answer) return undefined
    return { status: Number(answer.status ?? 200), text }
  }

  private frame(): Buffer | undefined {
    for (;;) {
      const { received } = this
      if (received.length < 2) return undefined
      const short = received[1]! & 127
      const headBytes = short === LENGTH_OF_64_BITS ? 10 : short === LENGTH_OF_16_BITS ? 4 : 2
      if (received.length < headBytes) return undefined
      const length =
        headBytes === 2
          ? short
          : headBytes === 4
            ? received.readUInt16BE(2)
            : Number(received.readBigUInt64BE(2))
      if (received.length < headBytes + length) return undefined
      const opcode = received[0]! & 15
      const payload = this.take(headBytes + length).subarray(headBytes)
      if (opcode === TEXT || opcode === BINARY) return payload
      if (opcode === CLOSE) return undefined
    }
  }
}

/** A session in SBE: each message is read whole. */
export class MessageLane extends SocketLane {
  protected override replyOf(frame: Buffer): Reply | undefined {
    const { name, values } = readMessage(expectDecoded(frame))
    if (name !== 'WebSocketResponse') return undefined
    const error = textOf(values.result as Message)
    return { status: Number(values.status), text: `{"error":${error}}` }
  }
}
