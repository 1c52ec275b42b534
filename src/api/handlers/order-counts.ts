/** What an account has used of its order limits. */
import { Rows } from '../answers/answer.ts'
import { rateLimitCount } from '../answers/limits.ts'
import type { Context, Request, Responder } from '../context.ts'
import { ownerOf } from './owner.ts'

export function orderCounts(request: Request, context: Context, responder: Responder): void {
  const counts = context.orderCounts(ownerOf(request), request.nowMs)
  responder.reply(new Rows(rateLimitCount, counts, request))
}
