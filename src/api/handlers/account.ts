/** What an account may know of itself from memory: balances, rates, listen keys. */
import {
  account as accountAnswer,
  closedListenKey,
  commission as commissionAnswer,
  keptListenKey,
  listenKey,
} from '../answers/account.ts'
import { Rows } from '../answers/answer.ts'
import type { Context, Request, Responder } from '../context.ts'
import { Param } from '../parameters.ts'
import { commissionRow } from '../rows/commission.ts'
import { ownerOf } from './owner.ts'

export function account(request: Request, context: Context, responder: Responder): void {
  const owner = ownerOf(request)
  const all = context.balances(owner.id)
  const balances = request.params.flag(Param.omitZeroBalances, false)
    ? all.filter(({ free, locked }) => free !== 0 || locked !== 0)
    : all
  const row = { ...owner, balances, changedMs: context.balancesChangedMs(owner.id) }
  responder.reply(new Rows(accountAnswer, row, request))
}

export function commission(request: Request, context: Context, responder: Responder): void {
  const spec = context.symbolNamed(request.params.text(Param.symbol) as string)
  if (spec === undefined) {
    responder.error('INVALID_SYMBOL')
    return
  }
  const row = commissionRow(context, spec, ownerOf(request))
  responder.reply(new Rows(commissionAnswer, row, request))
}

export function startListenKey(request: Request, context: Context, responder: Responder): void {
  const row = { listenKey: context.listenKeys.start(ownerOf(request).id) }
  responder.reply(new Rows(listenKey, row, request))
}

export function keepListenKeyAlive(request: Request, context: Context, responder: Responder): void {
  const key = request.params.text(Param.listenKey) as string
  const isAlive = context.listenKeys.keepAlive(ownerOf(request).id, key)
  answerKey(keptListenKey, request, responder, isAlive)
}

export function closeListenKey(request: Request, context: Context, responder: Responder): void {
  const key = request.params.text(Param.listenKey) as string
  const wasAlive = context.listenKeys.close(ownerOf(request).id, key)
  answerKey(closedListenKey, request, responder, wasAlive)
}

function answerKey(
  answer: typeof keptListenKey,
  request: Request,
  responder: Responder,
  isKnown: boolean,
): void {
  if (isKnown) responder.reply(new Rows(answer, {}, request))
  else responder.error('INVALID_LISTEN_KEY')
}
