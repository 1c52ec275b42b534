/** What an account has used of its order limits (supplement 2a.1, 2g). */
import type { Context, Request, Responder } from '../context.ts'
import { ownerOf } from './owner.ts'

export function orderCounts(request: Request, context: Context, responder: Responder): void {
  responder.reply(JSON.stringify(context.orderCounts(ownerOf(request).id, request.nowMs)))
}
