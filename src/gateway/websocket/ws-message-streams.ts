/**
 * One connection to market streams in SBE (sbe-market-data-streams.md): an Ed25519 key opens it, events are binary
 * messages. What its client asks and is answered is JSON, as is serverShutdown. It reads no listen keys.
 */
import { Rows } from '../../api/answers/answer.ts'
import { jsonEncoder, streamMessageEncoder } from '../../api/answers/encoders.ts'
import { serverShutdown } from '../../api/answers/user-events.ts'
import { Fault } from '../../api/errors.ts'
import type { Ms } from '../../base/units.ts'
import type { ApiKey } from '../authentication/key-ring.ts'
import { type Framing, messageFraming } from '../streams/framing.ts'
import { Ending, type SessionDetail, SHOWN_KEY_CHARS } from './connection.ts'
import { StreamConnection, type StreamParts } from './ws-streams.ts'

export class MessageStreamConnection extends StreamConnection {
  override readonly encoder = streamMessageEncoder
  private readonly key: ApiKey

  /** `names` are those of the address; the key was found usable. */
  constructor(parts: StreamParts, names: readonly string[], combined: boolean, key: ApiKey) {
    super(parts, names, combined, true)
    this.key = key
  }

  protected override get framing(): Framing {
    return messageFraming
  }

  /** Rules of the sandbox for the account are for its streams. */
  override get accounts(): readonly number[] {
    return [this.key.account.id]
  }

  protected override accountNamed(): number {
    return -1
  }

  override revoke(apiKey: string): void {
    if (apiKey === this.key.apiKey) this.end(Ending.KEY_REVOKED)
  }

  override keyChanged(apiKey: string): void {
    if (apiKey === this.key.apiKey) this.checkKey()
  }

  private checkKey(): void {
    if (!this.isOpen) return
    const key = this.parts.streamKeyOf(this.key.apiKey, this.remoteAddress)
    if (key instanceof Fault) this.end(Ending.KEY_UNUSABLE)
  }

  /** The other exchange may not have its key. */
  protected override continues(before: this): void {
    super.continues(before)
    this.parts.clock.defer(() => this.checkKey())
  }

  override announceShutdown(nowMs: Ms): void {
    const event = new Rows(serverShutdown, { eventTimeMs: nowMs }, { microseconds: false })
    this.sendEventFrame(jsonEncoder.encode(event), false)
  }

  override renewed(parts: StreamParts): MessageStreamConnection {
    return new MessageStreamConnection(parts, [], this.combined, this.key)
  }

  protected override detail(): SessionDetail {
    return { ...super.detail(), apiKey: this.key.apiKey.slice(0, SHOWN_KEY_CHARS) }
  }
}
