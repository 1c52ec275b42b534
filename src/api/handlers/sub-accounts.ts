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
} from '../answers/sub-accounts.ts'
import type { Context, Request, Responder } from '../context.ts'
import { Fault } from '../errors.ts'
import { Param, RareParam } from '../parameters.ts'
import { ownerOf } from './owner.ts'
import { VALUATION_COIN, worthOf } from './worth.ts'

const LIST_MAX = 500
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

function subAccountsOf(request: Request, context: Context): readonly AccountSpec[] | Fault {
  const { id, master } = ownerOf(request)
  return master === undefined ? context.subAccounts(id) : new Fault('MASTER_ONLY')
}

/** The sub-account that the request names; all where it names none. */
function namedOf(request: Request, context: Context): readonly AccountSpec[] | Fault {
  const family = subAccountsOf(request, context)
  const email = request.params.text(RareParam.email)
  if (family instanceof Fault || email === undefined) return family
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
