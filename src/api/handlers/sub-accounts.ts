/**
 * What a master's key learns of the sub-accounts. A sub-account's key learns nothing of its family, and no key but
 * an account's own learns of its orders.
 */
import { formatBigDecimal } from '../../base/fixed.ts'
import { type Int64, plus } from '../../base/int64.ts'
import { WIRE_DECIMALS } from '../../base/limits.ts'
import { emailOf } from '../../market/families.ts'
import type { AccountSpec } from '../../market/listing.ts'
import { Rows } from '../answers/answer.ts'
import {
  subAccountAssets as subAccountAssetsAnswer,
  subAccountStatus as subAccountStatusAnswer,
  subAccounts as subAccountsAnswer,
  subAccountWorths as subAccountWorthsAnswer,
  subUsers as subUsersAnswer,
} from '../answers/sub-accounts.ts'
import type { Context, Request, Responder } from '../context.ts'
import { Fault } from '../errors.ts'
import { Param, RareParam } from '../parameters.ts'
import { ownerOf } from './owner.ts'
import { VALUATION_COIN, worthOf } from './worth.ts'

const LIST_MAX = 500
const SUB_USERS_MAX = 200
/** Accounts of a page are valued: each has as many balances as there are assets. */
const WORTHS_DEFAULT = 10
const WORTHS_MAX = 20

/** Those of an e-mail address or a status alone, if it is sent. */
export function subAccounts(request: Request, context: Context, responder: Responder): void {
  const { params } = request
  const family = subAccountsOf(request, context)
  if (family instanceof Fault) responder.error(family.id)
  else {
    const status = params.number(RareParam.status)
    const isFrozen = status === undefined ? undefined : status === 0
    const limit = Math.min(params.number(Param.limit) ?? LIST_MAX, LIST_MAX)
    const shown = listed(family, isFrozen, limit, request)
    responder.reply(new Rows(subAccountsAnswer, { subAccounts: shown }, request))
  }
}

/** The same as Binance's libraries ask for it: one where no limit is sent. */
export function subUsers(request: Request, context: Context, responder: Responder): void {
  const { params } = request
  const family = subAccountsOf(request, context)
  if (family instanceof Fault) responder.error(family.id)
  else {
    const isFreeze = params.number(RareParam.isFreeze)
    const isFrozen = isFreeze === undefined ? undefined : isFreeze === 1
    const limit = Math.min(params.number(Param.limit) ?? 1, SUB_USERS_MAX)
    const shown = listed(family, isFrozen, limit, request)
    responder.reply(new Rows(subUsersAnswer, { subAccounts: shown }, request))
  }
}

function listed(
  family: readonly AccountSpec[],
  isFrozen: boolean | undefined,
  limit: number,
  { params }: Request,
): readonly AccountSpec[] {
  const email = params.text(RareParam.email)
  const matching = family.filter(
    (account) =>
      (email === undefined || emailOf(account) === email) &&
      (isFrozen === undefined || account.frozen === isFrozen),
  )
  return pageOf(matching, params.number(RareParam.page), limit)
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
export function partyOf(
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
