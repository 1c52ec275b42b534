/** One account's user data stream, subscribed to by signature on its own connection. */

import { UsageError } from '../../command-line/usage-error.ts'
import { type AccountKey, signedParams } from '../keys.ts'
import type { Target } from '../target.ts'
import { Socket } from './socket.ts'

export type UserEvent = Readonly<Record<string, unknown>> & { readonly e: string }

interface Parts {
  readonly target: Target
  /** URL of the WebSocket API, such as `ws://127.0.0.1:8080/ws-api/v3`. */
  readonly url: string
  readonly key: AccountKey
  readonly onEvent: (event: UserEvent) => void
  readonly onLost: (why: string) => void
}

/** Resolves when events come. Rejects with UsageError. */
export async function openUserStream({
  target,
  url,
  key,
  onEvent,
  onLost,
}: Parts): Promise<Socket> {
  let answered: (frame: Readonly<Record<string, unknown>>) => void = () => {}
  const answer = new Promise<Readonly<Record<string, unknown>>>((resolve) => {
    answered = resolve
  })
  const take = (frame: Readonly<Record<string, unknown>>) => {
    if (frame.event !== undefined) onEvent(frame.event as UserEvent)
    else if (frame.status !== undefined) answered(frame)
  }
  const socket = await Socket.open(url, take, (why) => {
    answered({ error: { msg: why } })
    onLost(`the user data stream of ${key.account} ended: ${why}`)
  })
  const params = signedParams(key, {}, target.nowMs())
  socket.send({ id: 1, method: 'userDataStream.subscribe.signature', params })
  const { status, error } = await answer
  if (status === 200) return socket
  socket.close()
  const { msg = '' } = (error ?? {}) as { msg?: string }
  throw new UsageError(`The user data stream of ${key.account} cannot be had: ${msg}`)
}
