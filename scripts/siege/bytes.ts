/** Bytes that clients send: HTTP requests, WebSocket upgrades and frames, made by hand. */

const HEADER_16 = 126
const HEADER_64 = 127
const BYTES_16_MAX = 0xffff
const MASK_BYTES = 4

export const Opcode = { CONTINUATION: 0, TEXT: 1, BINARY: 2, PING: 9 } as const
export type Opcode = (typeof Opcode)[keyof typeof Opcode]

export type Headers = Readonly<Record<string, string>>

/** A whole request without a body. */
export function requestBytes(method: string, path: string, headers: Headers = {}): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: siege\r\n${lines.join('')}\r\n`)
}

/** The request that makes a connection a WebSocket. */
export function upgradeBytes(path: string, headers: Headers = {}): Buffer {
  return requestBytes('GET', path, {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'c2llZ2Utc2llZ2Utc2llZw==',
    ...headers,
  })
}

/** One masked frame. The mask is zero, so the payload stands as it is. */
export function frameBytes(
  payload: string | Buffer,
  opcode: Opcode = Opcode.TEXT,
  isFinal = true,
): Buffer {
  const body = Buffer.from(payload)
  return Buffer.concat([frameHead(body.length, opcode, isFinal), body])
}

/** The head of a frame that announces so many bytes. */
export function frameHead(bytes: number, opcode: Opcode, isFinal = true): Buffer {
  const first = (isFinal ? 0x80 : 0) | opcode
  const mask = Buffer.alloc(MASK_BYTES)
  if (bytes < HEADER_16) return Buffer.concat([Buffer.from([first, 0x80 | bytes]), mask])
  if (bytes <= BYTES_16_MAX) {
    const head = Buffer.from([first, 0x80 | HEADER_16, bytes >> 8, bytes & 0xff])
    return Buffer.concat([head, mask])
  }
  const head = Buffer.alloc(10)
  head[0] = first
  head[1] = 0x80 | HEADER_64
  head.writeBigUInt64BE(BigInt(bytes), 2)
  return Buffer.concat([head, mask])
}

/** Returns the bytes so many times over. */
export const repeated = (bytes: Buffer, times: number): Buffer =>
  Buffer.concat(Array.from({ length: times }, () => bytes))
