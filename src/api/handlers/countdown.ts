/**
 * Countdowns that cancel an account's open orders on one symbol, or on all, unless it renews them; extensions. One of
 * all symbols is set on each: their engines know of no other.
 */
import { CountdownScope } from '../../base/codes.ts'
import { Ms } from '../../base/units.ts'
import {
  CountdownChanged,
  CountdownState,
  QueryCountdowns,
  SetCountdown,
} from '../../layout/accessors.gen.ts'
import { Rows } from '../answers/answer.ts'
import type { RowOf } from '../answers/element.ts'
import { countdown } from '../answers/safeguards.ts'
import type { Context, Request, Responder } from '../context.ts'
import { Fault } from '../errors.ts'
import { Param, RareParam } from '../parameters.ts'
import { EverySymbol } from './every-symbol.ts'
import { ownerOf } from './owner.ts'
import { refuse } from './place-order.ts'
import { selectSymbols } from './select-symbols.ts'

type CountdownRow = RowOf<(typeof countdown)['elements']>

export function setCountdown(request: Request, context: Context, responder: Responder): void {
  const symbols = selectSymbols(request.params, context)
  if (symbols instanceof Fault) {
    refuse(responder, symbols)
    return
  }
  const { id: account, frozen } = ownerOf(request)
  if (frozen) {
    responder.error('CANCEL_FROZEN')
    return
  }
  const isOfAll = !request.params.has(Param.symbol)
  const countdownMs = Ms(request.params.number(RareParam.countdownTime)!)
  let deadlineMs = Ms(0)
  new EverySymbol({
    symbols,
    responder,
    claim: ({ id }) => context.command(id),
    submit: (slot, collector) => {
      const { buffer, at } = slot
      SetCountdown.setAccount(buffer, at, account)
      SetCountdown.setScope(buffer, at, isOfAll ? CountdownScope.ALL : CountdownScope.SYMBOL)
      SetCountdown.setCountdownMs(buffer, at, countdownMs)
      SetCountdown.setExpiresMs(buffer, at, request.expiresMs)
      slot.submit(SetCountdown.type, SetCountdown.bytes, collector, request.charge)
    },
    record: (_, buffer, at) => {
      deadlineMs = earlier(deadlineMs, CountdownChanged.deadlineMs(buffer, at))
    },
    reply: () => {
      const spec = isOfAll ? undefined : symbols[0]
      const row = { spec, countdownMs, deadlineMs: deadlineMs === 0 ? undefined : deadlineMs }
      responder.reply(new Rows(countdown, row, request))
    },
  }).goOn()
}

/** Those that run on the symbol, or anywhere. */
export function countdowns(request: Request, context: Context, responder: Responder): void {
  const symbols = selectSymbols(request.params, context)
  if (symbols instanceof Fault) {
    refuse(responder, symbols)
    return
  }
  const { id: account } = ownerOf(request)
  const own: CountdownRow[] = []
  let ofAll: CountdownRow | undefined
  new EverySymbol({
    symbols,
    responder,
    claim: ({ id }) => context.query(id),
    submit: (slot, collector) => {
      QueryCountdowns.setAccount(slot.buffer, slot.at, account)
      QueryCountdowns.setSpare(slot.buffer, slot.at, 0)
      slot.submit(QueryCountdowns.type, QueryCountdowns.bytes, collector, undefined)
    },
    record: (spec, buffer, at) => {
      const deadlineMs = CountdownState.deadlineMs(buffer, at)
      const countdownMs = CountdownState.countdownMs(buffer, at)
      if (deadlineMs !== 0) own.push({ spec, countdownMs, deadlineMs })
      const allDeadlineMs = CountdownState.allDeadlineMs(buffer, at)
      if (allDeadlineMs === 0 || allDeadlineMs > (ofAll?.deadlineMs ?? Number.POSITIVE_INFINITY)) {
        return
      }
      ofAll = { countdownMs: CountdownState.allCountdownMs(buffer, at), deadlineMs: allDeadlineMs }
    },
    reply: () => {
      const byName = own.sort((a, b) => (a.spec!.name < b.spec!.name ? -1 : 1))
      const rows = ofAll === undefined ? byName : [ofAll, ...byName]
      responder.reply(new Rows(countdown, rows, request))
    },
  }).goOn()
}

/** 0 stands for none. */
const earlier = (a: Ms, b: Ms): Ms => (a === 0 || (b !== 0 && b < a) ? b : a)
