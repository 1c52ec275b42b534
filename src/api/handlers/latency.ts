/** What orders of an account took, stage by stage. An extension. */
import { stageLatency } from '../answers/account.ts'
import { Rows } from '../answers/answer.ts'
import type { Context, Request, Responder } from '../context.ts'
import { ownerOf } from './owner.ts'

export function latency(request: Request, context: Context, responder: Responder): void {
  const rows = context.latencyOf(ownerOf(request).id)
  responder.reply(new Rows(stageLatency, rows, request))
}
