/**
 * How a connection gets the frames of market streams: their encoder, what stands around a payload, and the
 * unit of their times. Each framing with readers has its frames encoded once, from the rows.
 */
import { type AnyRows, Rows } from '../../api/answers/answer.ts'
import { type Encoder, jsonEncoder, streamMessageEncoder } from '../../api/answers/encoders.ts'
import { combinedFrame } from '../../api/answers/session.ts'
import type { StreamEncoding } from '../../api/streams.ts'

/** Makes the rows of a frame from a stream's name and its payload. */
export type Envelope = (name: string, payload: AnyRows) => AnyRows

export class Framing {
  /** Distinguishes its topics of uWebSockets.js. */
  readonly label: string
  readonly microseconds: boolean
  /** The framing of frames without times, which are alike in both units. */
  readonly untimed: Framing
  readonly encoder: Encoder
  private readonly envelope: Envelope

  /** In microseconds, given the same framing in milliseconds. */
  constructor(label: string, encoder: Encoder, envelope: Envelope, inMilliseconds?: Framing) {
    this.label = label
    this.encoder = encoder
    this.envelope = envelope
    this.microseconds = inMilliseconds !== undefined
    this.untimed = inMilliseconds ?? this
  }

  get isBinary(): boolean {
    return this.encoder.isBinary === true
  }

  /** Whose names of streams its readers use. */
  get encoding(): StreamEncoding {
    return this.isBinary ? 'SBE' : 'JSON'
  }

  /** Returns the bytes of a frame, until the thread's next ones. */
  encode(name: string, payload: AnyRows): Uint8Array {
    return this.encoder.encode(this.envelope(name, payload))
  }
}

const raw: Envelope = (_name, payload) => payload
const combined: Envelope = (name, payload) =>
  new Rows(combinedFrame, { name, payload }, payload.form)

const rawMs = new Framing('r', jsonEncoder, raw)
const combinedMs = new Framing('c', jsonEncoder, combined)
const rawUs = new Framing('R', jsonEncoder, raw, rawMs)
const combinedUs = new Framing('C', jsonEncoder, combined, combinedMs)

/** Returns the framing of a WebSocket. */
export function framingOf(isCombined: boolean, microseconds: boolean): Framing {
  if (microseconds) return isCombined ? combinedUs : rawUs
  return isCombined ? combinedMs : rawMs
}

/** Of connections in SBE: messages say themselves of which symbol they are, and times are in microseconds. */
export const messageFraming = new Framing('b', streamMessageEncoder, raw)
