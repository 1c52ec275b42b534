/** What an account may know of itself from memory: balances, rates, listen keys. */
import type { Context, Request, Responder } from '../context.ts'
import { Param } from '../parameters.ts'
import { accountText } from '../render/account.ts'
import { accountCommission } from '../render/commission.ts'
import { ZERO } from '../render/decimals.ts'
import { ownerOf } from './owner.ts'

export function account(request: Request, context: Context, responder: Responder): void {
  const owner = ownerOf(request)
  const balances = context.balances(owner.id)
  const shown = request.params.flag(Param.omitZeroBalances, false)
    ? balances.filter(({ free, locked }) => free !== ZERO || locked !== ZERO)
    : balances
  const changedMs = context.balancesChangedMs(owner.id)
  responder.reply(accountText(owner, shown, changedMs, request.microseconds))
}

export function commission(request: Request, context: Context, responder: Responder): void {
  const spec = context.symbolNamed(request.params.text(Param.symbol) as string)
  if (spec === undefined) responder.error('INVALID_SYMBOL')
  else responder.reply(accountCommission(context, spec, ownerOf(request)))
}

export function startListenKey(request: Request, context: Context, responder: Responder): void {
  responder.reply(JSON.stringify({ listenKey: context.listenKeys.start(ownerOf(request).id) }))
}

export function keepListenKeyAlive(request: Request, context: Context, responder: Responder): void {
  const key = request.params.text(Param.listenKey) as string
  if (context.listenKeys.keepAlive(ownerOf(request).id, key)) responder.reply('{}')
  else responder.error('INVALID_LISTEN_KEY')
}

export function closeListenKey(request: Request, context: Context, responder: Responder): void {
  const key = request.params.text(Param.listenKey) as string
  if (context.listenKeys.close(ownerOf(request).id, key)) responder.reply('{}')
  else responder.error('INVALID_LISTEN_KEY')
}
