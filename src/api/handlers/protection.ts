/**
 * An account's protection on a symbol, which cancels its orders and refuses more once they are filled too fast;
 * extensions.
 */
import { Ms, QuoteAtoms } from '../../base/units.ts'
import {
  ProtectionChanged,
  ProtectionState,
  QueryProtection,
  ResetProtection,
  SetProtection,
} from '../../layout/accessors.gen.ts'
import { Rows } from '../answers/answer.ts'
import type { RowOf } from '../answers/element.ts'
import { protection } from '../answers/safeguards.ts'
import type { CommandSlot, Context, Request, Responder } from '../context.ts'
import { Fault } from '../errors.ts'
import { RareParam } from '../parameters.ts'
import { EverySymbol } from './every-symbol.ts'
import { ownerOf } from './owner.ts'
import { refuse } from './place-order.ts'
import { selectSymbols } from './select-symbols.ts'

type ProtectionRow = RowOf<(typeof protection)['elements']>

export function setProtection(request: Request, context: Context, responder: Responder): void {
  const { params, expiresMs } = request
  const windowMs = Ms(params.number(RareParam.windowMs)!)
  const maxFills = params.number(RareParam.maxFills) ?? 0
  const maxNotional = QuoteAtoms(params.units(RareParam.maxNotional) ?? 0)
  const isBounded = maxFills !== 0 || maxNotional !== 0
  if (isBounded !== (windowMs !== 0)) {
    responder.error('BAD_COMBINATION')
    return
  }
  change(request, context, responder, ({ buffer, at }) => {
    SetProtection.setAccount(buffer, at, ownerOf(request).id)
    SetProtection.setSpare(buffer, at, 0)
    SetProtection.setWindowMs(buffer, at, windowMs)
    SetProtection.setMaxFills(buffer, at, maxFills)
    SetProtection.setMaxNotional(buffer, at, maxNotional)
    SetProtection.setExpiresMs(buffer, at, expiresMs)
    return SetProtection
  })
}

export function resetProtection(request: Request, context: Context, responder: Responder): void {
  change(request, context, responder, ({ buffer, at }) => {
    ResetProtection.setAccount(buffer, at, ownerOf(request).id)
    ResetProtection.setSpare(buffer, at, 0)
    ResetProtection.setExpiresMs(buffer, at, request.expiresMs)
    return ResetProtection
  })
}

/** Sends the command that `write` writes. */
function change(
  request: Request,
  context: Context,
  responder: Responder,
  write: (slot: CommandSlot) => { readonly type: number; readonly bytes: number },
): void {
  const symbols = selectSymbols(request.params, context)
  if (symbols instanceof Fault) {
    refuse(responder, symbols)
    return
  }
  let row: ProtectionRow
  new EverySymbol({
    symbols,
    responder,
    claim: ({ id }) => context.command(id),
    submit: (slot, collector) => {
      const { type, bytes } = write(slot)
      slot.submit(type, bytes, collector, request.charge)
    },
    record: (spec, buffer, at) => {
      row = {
        spec,
        status: ProtectionChanged.status(buffer, at),
        windowMs: ProtectionChanged.windowMs(buffer, at),
        maxFills: ProtectionChanged.maxFills(buffer, at),
        maxNotional: ProtectionChanged.maxNotional(buffer, at),
      }
    },
    reply: () => responder.reply(new Rows(protection, row, request)),
  }).goOn()
}

/** Those of the symbol, or of all. */
export function protections(request: Request, context: Context, responder: Responder): void {
  const symbols = selectSymbols(request.params, context)
  if (symbols instanceof Fault) {
    refuse(responder, symbols)
    return
  }
  const rows: ProtectionRow[] = []
  new EverySymbol({
    symbols,
    responder,
    claim: ({ id }) => context.query(id),
    submit: (slot, collector) => {
      QueryProtection.setAccount(slot.buffer, slot.at, ownerOf(request).id)
      QueryProtection.setSpare(slot.buffer, slot.at, 0)
      slot.submit(QueryProtection.type, QueryProtection.bytes, collector, undefined)
    },
    record: (spec, buffer, at) => {
      const windowMs = ProtectionState.windowMs(buffer, at)
      if (windowMs === 0) return
      rows.push({
        spec,
        status: ProtectionState.status(buffer, at),
        windowMs,
        maxFills: ProtectionState.maxFills(buffer, at),
        maxNotional: ProtectionState.maxNotional(buffer, at),
      })
    },
    reply: () => {
      rows.sort((a, b) => (a.spec.name < b.spec.name ? -1 : 1))
      responder.reply(new Rows(protection, rows, request))
    },
  }).goOn()
}
