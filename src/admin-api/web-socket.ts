/**
 * The server's end of a WebSocket (RFC 6455) on a connection of Node's HTTP server, as the feed of prices needs it: texts
 * of a bounded length, no extension. It is not uWebSockets.js, which serves only connections that it accepted itself. A
 * client that breaks the protocol gets a close code, and what it sends after that is dropped unread.
 */
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** What a server signs its handshake with. */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const KEY = /^[A-Za-z0-9+/]{22}==$/
const CONTROL_BYTES_MAX = 125
const UNREAD_BYTES_MAX = 256 * 1024

const Opcode = { CONTINUATION: 0, TEXT: 1, BINARY: 2, CLOSE: 8, PING: 9, PONG: 10 } as const
/** Why a connection is closed. */
export const CloseCode = {
  NORMAL: 1000,
  PROTOCOL: 1002,
  NO_TEXT: 1003,
  NOT_UTF8: 1007,
  POLICY: 1008,
  TOO_LONG: 1009,
} as const

const isHandshake = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  headers['sec-websocket-version'] === '13' &&
  KEY.test(headers['sec-websocket-key'] ?? '')

export class ServerSocket {
  private readonly connection: Duplex
  private readonly longest: number
  private readonly take: (text: string) => void
  private readonly utf8 = new TextDecoder('utf-8', { fatal: true })
  private unparsed: Buffer = Buffer.alloc(0)
  /** Of a message whose last frame has not come. */
  private parts: Buffer[] = []
  private partBytes = 0
  private isPartial = false
  private isOver = false

  /** Returns undefined when the request is no handshake. Texts of at most `longest` bytes are passed to `take`. */
  static open(
    request: IncomingMessage,
    connection: Duplex,
    longest: number,
    take: (text: string) => void,
  ): ServerSocket | undefined {
    if (!isHandshake(request)) return undefined
    const key = request.headers['sec-websocket-key']
    const accept = createHash('sha1').update(`${key}${GUID}`).digest('base64')
    connection.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    return new ServerSocket(connection, longest, take)
  }

  private constructor(connection: Duplex, longest: number, take: (text: string) => void) {
    this.connection = connection
    this.longest = longest
    this.take = take
    connection.on('data', (bytes: Buffer) => this.read(bytes))
    connection.on('end', () => connection.end())
  }

  /** Sends a text, or ends the connection of a client that does not read. */
  send(text: string): void {
    this.write(Opcode.TEXT, Buffer.from(text))
  }

  close(code: number, why = ''): void {
    if (this.isOver) return
    const reason = Buffer.alloc(2 + Buffer.byteLength(why))
    reason.writeUInt16BE(code)
    reason.write(why, 2)
    this.write(Opcode.CLOSE, reason)
    this.isOver = true
    this.connection.end()
    this.connection.resume()
  }

  /** Reads no further until `resume`: the client's texts stay with it. */
  pause(): void {
    this.connection.pause()
  }

  resume(): void {
    this.connection.resume()
  }

  private write(opcode: number, payload: Buffer): void {
    if (this.isOver) return
    if (this.connection.writableLength > UNREAD_BYTES_MAX) {
      this.connection.destroy()
      return
    }
    const isLong = payload.length > CONTROL_BYTES_MAX
    const head = Buffer.alloc(isLong ? 10 : 2)
    head[0] = 0x80 | opcode
    head[1] = isLong ? 127 : payload.length
    if (isLong) head.writeBigUInt64BE(BigInt(payload.length), 2)
    this.connection.write(Buffer.concat([head, payload]))
  }

  private read(bytes: Buffer): void {
    if (this.isOver) return
    this.unparsed = this.unparsed.length === 0 ? bytes : Buffer.concat([this.unparsed, bytes])
    while (!this.isOver && this.readFrame());
  }

  /** Takes one frame; returns whether it was there whole. */
  private readFrame(): boolean {
    const bytes = this.unparsed
    if (bytes.length < 2) return false
    const [first, second] = [bytes[0]!, bytes[1]!]
    const opcode = first & 0x0f
    const short = second & 0x7f
    const isControl = opcode >= Opcode.CLOSE
    // No extension is agreed on, and clients mask.
    if ((first & 0x70) !== 0 || (second & 0x80) === 0) return this.fail(CloseCode.PROTOCOL)
    if (isControl && (first < 0x80 || short > CONTROL_BYTES_MAX)) {
      return this.fail(CloseCode.PROTOCOL)
    }
    const maskAt = short === 127 ? 10 : short === 126 ? 4 : 2
    if (bytes.length < maskAt) return false
    const length =
      short === 127
        ? Number(bytes.readBigUInt64BE(2))
        : short === 126
          ? bytes.readUInt16BE(2)
          : short
    if (!isControl && this.partBytes + length > this.longest) return this.fail(CloseCode.TOO_LONG)
    const end = maskAt + 4 + length
    if (bytes.length < end) return false
    const payload = Buffer.from(bytes.subarray(maskAt + 4, end))
    for (let i = 0; i < length; i++) payload[i] = payload[i]! ^ bytes[maskAt + (i & 3)]!
    this.unparsed = bytes.subarray(end)
    if (isControl) this.control(opcode, payload)
    else this.data(opcode, payload, first >= 0x80)
    return true
  }

  private control(opcode: number, payload: Buffer): void {
    if (opcode === Opcode.PING) this.write(Opcode.PONG, payload)
    else if (opcode === Opcode.CLOSE) this.close(CloseCode.NORMAL)
    else if (opcode !== Opcode.PONG) this.fail(CloseCode.PROTOCOL)
  }

  private data(opcode: number, payload: Buffer, isLast: boolean): void {
    if (opcode === Opcode.BINARY) return void this.fail(CloseCode.NO_TEXT)
    const isFirst = opcode === Opcode.TEXT
    if (opcode > Opcode.BINARY || isFirst === this.isPartial) {
      return void this.fail(CloseCode.PROTOCOL)
    }
    this.parts.push(payload)
    this.partBytes += payload.length
    this.isPartial = !isLast
    if (!isLast) return
    const whole = Buffer.concat(this.parts)
    this.parts = []
    this.partBytes = 0
    let text: string
    try {
      text = this.utf8.decode(whole)
    } catch {
      return void this.fail(CloseCode.NOT_UTF8)
    }
    this.take(text)
  }

  private fail(code: number): false {
    this.close(code)
    return false
  }
}
