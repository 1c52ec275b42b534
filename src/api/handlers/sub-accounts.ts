/**
 * What a master's key learns of the sub-accounts. A sub-account's key learns nothing of its family, and no key but
 * an account's own learns of its orders.
 */
import { formatBigDecimal } from '../../base/fixed.ts'
import { type Int64, plus } from '../../base/int64.ts'
import { WIRE_DECIMALS } from '../../base/limits.ts'
import { Ms } from '../../base/units.ts'
import { emailOf } from '../../market/families.ts'
import type { AccountSpec } from '../../market/listing.ts'
import { Rows } from '../answers/answer.ts'
import {
  subAccountAssets as subAccountAssetsAnswer,
  subAccountStatus as subAccountStatusAnswer,
  subAccounts as subAccountsAnswer,
  subAccountTransfers as subAccountTransfersAnswer,
  subAccountWorths as subAccountWorthsAnswer,
} from '../answers/sub-accounts.ts'
import type { Context, Request, Responder } from '../context.ts'
import { Fault } from '../errors.ts'
import { historyError } from '../history-failure.ts'
import { Param, RareParam } from '../parameters.ts'
import { timesOf } from './history.ts'
import { ownerOf } from './owner.ts'
import { VALUATION_COIN, worthOf } from './worth.ts'

const LIST_MAX = 500
/** Pages that begin behind so many transfers are empty: times lead there. */
const TRANSFERS_MAX = 100_000
/** Accounts of a page are valued: each has as many balances as there are assets. */
const WORTHS_DEFAULT = 10
const WORTHS_MAX = 20

/** Those of an e-mail address or a status alone, if it is sent. */
export function subAccounts(request: Request, context: Context, responder: Responder): void {
  const { params } = request
  const family = subAccountsOf(request, context)
  if (family instanceof Fault) responder.error(family.id)
  else {
    const email = params.text(RareParam.email)
    const status = params.number(RareParam.status)
    const matching = family.filter(
      (account) =>
        (email === undefined || emailOf(account) === email) &&
        (status === undefined || status === Number(!account.frozen)),
    )
    const limit = Math.min(params.number(Param.limit) ?? LIST_MAX, LIST_MAX)
    const shown = pageOf(matching, params.number(RareParam.page), limit)
    responder.reply(new Rows(subAccountsAnswer, { subAccounts: shown }, request))
  }
}

export function subAccountStatus(request: Request, context: Context, responder: Responder): void {
  const family = namedOf(request, context)
  if (family instanceof Fault) responder.error(family.id)
  else responder.reply(new Rows(subAccountStatusAnswer, family, request))
}

export function subAccountAssets(request: Request, context: Context, responder: Responder): void {
  const family = namedOf(request, context)
  if (family instanceof Fault) responder.error(family.id)
  else {
    const balances = family
      .flatMap(({ id }) => context.balances(id))
      .map(({ free, locked, ...row }) => ({ ...row, free: wire(free), locked: wire(locked) }))
    responder.reply(new Rows(subAccountAssetsAnswer, { balances }, request))
  }
}

/** What the accounts have, in BTC. */
export function subAccountWorths(request: Request, context: Context, responder: Responder): void {
  const { params } = request
  const family = namedOf(request, context)
  if (family instanceof Fault) responder.error(family.id)
  else {
    const size = Math.min(params.number(RareParam.size) ?? WORTHS_DEFAULT, WORTHS_MAX)
    const shown = pageOf(family, params.number(RareParam.page), size)
    const row = {
      total: family.length,
      worth: worthOfAll(ownerOf(request), context),
      shown: shown.map((account) => ({ ...account, worth: worthOfAll(account, context) })),
    }
    responder.reply(new Rows(subAccountWorthsAnswer, row, request))
  }
}

/** Between accounts of the family, or from and to one of them; the newest first. */
export function subAccountTransfers(
  request: Request,
  context: Context,
  responder: Responder,
): void {
  const family = familyOf(request, context)
  const accounts = family instanceof Fault ? family : partyOf(family, request)
  if (accounts instanceof Fault) {
    responder.error(accounts.id)
    return
  }
  const { params } = request
  const limit = Math.min(params.number(Param.limit) ?? LIST_MAX, LIST_MAX)
  const offset = ((params.number(RareParam.page) ?? 1) - 1) * limit
  const times = { startTime: Ms(0), endTime: Ms(Number.POSITIVE_INFINITY), ...timesOf(params) }
  const emails = new Map((family as readonly AccountSpec[]).map((it) => [it.id, emailOf(it)]))
  const page = { accounts: accounts.map(({ id }) => id), ...times, offset, limit }
  const found = offset < TRANSFERS_MAX ? context.history.movements(page) : Promise.resolve([])
  found.then(
    (rows) => {
      const transfers = rows.map(({ from, to, assetId, ...row }) => ({
        ...row,
        fromEmail: emails.get(from)!,
        toEmail: emails.get(to)!,
        asset: context.assets[assetId]!,
      }))
      responder.reply(new Rows(subAccountTransfersAnswer, { transfers }, request))
    },
    (failure: unknown) => responder.error(historyError(failure)),
  )
}

/** The master, then the sub-accounts. */
export function familyOf(request: Request, context: Context): readonly AccountSpec[] | Fault {
  const family = subAccountsOf(request, context)
  return family instanceof Fault ? family : [ownerOf(request), ...family]
}

function subAccountsOf(request: Request, context: Context): readonly AccountSpec[] | Fault {
  const { id, master } = ownerOf(request)
  return master === undefined ? context.subAccounts(id) : new Fault('MASTER_ONLY')
}

/** The sub-account that the request names; all where it names none. */
export function namedOf(request: Request, context: Context): readonly AccountSpec[] | Fault {
  const family = subAccountsOf(request, context)
  return family instanceof Fault ? family : partyOf(family, request)
}

/** The account of the family that the request names; all where it names none. */
function partyOf(
  family: readonly AccountSpec[],
  { params }: Request,
): readonly AccountSpec[] | Fault {
  const email = params.text(RareParam.email)
  if (email === undefined) return family
  const named = family.filter((account) => emailOf(account) === email)
  return named.length > 0 ? named : new Fault('INVALID_EMAIL')
}

const pageOf = <Row>(rows: readonly Row[], page = 1, size: number): readonly Row[] =>
  rows.slice((page - 1) * size, page * size)

const wire = (atoms: Int64): number => Number(formatBigDecimal(BigInt(atoms), WIRE_DECIMALS))

const worthOfAll = ({ id }: AccountSpec, context: Context): Int64 =>
  context
    .balances(id)
    .reduce<Int64>((sum, row) => plus(sum, worthOf(context, row, VALUATION_COIN)), 0)
