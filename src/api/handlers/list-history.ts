/** What the archive answers of an account's order lists. */
import { OrderListId } from '../../base/units.ts'
import { Rows } from '../answers/answer.ts'
import type { Form } from '../answers/element.ts'
import { orderList as orderListAnswer } from '../answers/order-lists.ts'
import type { Context, Request, Responder } from '../context.ts'
import { historyError } from '../history-failure.ts'
import { Param, RareParam } from '../parameters.ts'
import { answerRows, isTooWide, limitOf, sent, timesOf } from './history.ts'
import { ownerOf } from './owner.ts'

const { startTime, endTime, fromId } = Param
const { orderListId } = RareParam

/** origClientOrderId carries the list's own client id. */
export function orderList(request: Request, context: Context, responder: Responder): void {
  const { params } = request
  const listClientOrderId = params.text(Param.origClientOrderId)
  const listId = params.unit(orderListId, OrderListId)
  const asked = {
    account: ownerOf(request).id,
    ...(listId === undefined ? {} : { orderListId: listId }),
    ...(listClientOrderId === undefined ? {} : { listClientOrderId }),
  }
  context.history.orderList(asked).then(
    (row) => {
      if (row === undefined) responder.error('NO_SUCH_ORDER_LIST')
      else responder.reply(new Rows(orderListAnswer, row, formOf(request, context)))
    },
    (failure: unknown) => responder.error(historyError(failure)),
  )
}

/** By id or by time, not by both. */
export function allOrderLists(request: Request, context: Context, responder: Responder): void {
  const { params } = request
  const isTimed = params.has(startTime) || params.has(endTime)
  if (params.has(fromId) && isTimed) responder.error('BAD_COMBINATION')
  else if (isTooWide(params)) responder.error('MORE_THAN_24_HOURS')
  else {
    const asked = { ...sent(params, { fromId }), ...timesOf(params) }
    const account = ownerOf(request).id
    const rows = context.history.orderLists({ account, limit: limitOf(params), ...asked })
    answerRows(responder, rows, orderListAnswer, formOf(request, context))
  }
}

export function openOrderLists(request: Request, context: Context, responder: Responder): void {
  const rows = context.history.openOrderLists({ account: ownerOf(request).id })
  answerRows(responder, rows, orderListAnswer, formOf(request, context))
}

/** Lists may be of any symbol. */
const formOf = ({ microseconds }: Request, { symbols }: Context): Form => ({
  symbols,
  microseconds,
})
