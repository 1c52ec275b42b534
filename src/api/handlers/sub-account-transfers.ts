/** Lists of transfers within a family, for keys of the master: the newest first. */
import { type AccountId, Ms } from '../../base/units.ts'
import type { Movements } from '../../history/account-history.ts'
import { emailOf } from '../../market/families.ts'
import type { AccountSpec, AssetSpec } from '../../market/listing.ts'
import { Rows } from '../answers/answer.ts'
import {
  spotTransfers as spotTransfersAnswer,
  subAccountTransfers as subAccountTransfersAnswer,
  universalTransfers as universalTransfersAnswer,
} from '../answers/sub-accounts.ts'
import type { Context, Request, Responder } from '../context.ts'
import { type ErrorId, Fault } from '../errors.ts'
import { historyError } from '../history-failure.ts'
import { Param, RareParam } from '../parameters.ts'
import { timesOf } from './history.ts'
import { ownerOf } from './owner.ts'
import { familyOf, partyOf } from './sub-accounts.ts'
import { type Times, timesWithin } from './wallet-page.ts'

const LIST_MAX = 500
/** Pages that begin behind so many transfers are empty: times lead there. No more are counted. */
const TRANSFERS_MAX = 100_000
const UNIVERSAL_DAYS = 7

/** Whose transfers are listed; of a side, those from them, or to them. */
interface Parties {
  readonly family: readonly AccountSpec[]
  readonly accounts: readonly AccountId[]
  readonly side: 'from' | 'to' | undefined
}

interface Transfer {
  readonly movementId: number
  readonly fromEmail: string
  readonly toEmail: string
  readonly asset: AssetSpec
  readonly atoms: Movements['rows'][number]['atoms']
  readonly movedMs: Ms
  readonly clientTranId: string | undefined
}

/** Between accounts of the family, or from and to one of them. */
export function subAccountTransfers(request: Request, context: Context, responder: Responder) {
  const family = familyOf(request, context)
  const named = family instanceof Fault ? family : partyOf(family, request)
  if (named instanceof Fault) responder.error(named.id)
  else {
    const accounts = named.map(({ id }) => id)
    const parties = { family: family as readonly AccountSpec[], accounts, side: undefined }
    const found = movements(parties, anyTime(request), 0, request, context)
    answer(found, parties, context, responder, (transfers) =>
      responder.reply(new Rows(subAccountTransfersAnswer, { transfers }, request)),
    )
  }
}

/** From one account of the family, or to one; from the master, where none is named. */
export function spotTransfers(request: Request, context: Context, responder: Responder): void {
  const parties = sideOf(request, context)
  if (parties instanceof Fault) responder.error(parties.id)
  else {
    const found = movements(parties, anyTime(request), 0, request, context)
    answer(found, parties, context, responder, (transfers) =>
      responder.reply(new Rows(spotTransfersAnswer, transfers, request)),
    )
  }
}

/** Of the last days; with an id of the master's the one that has it, however old. */
export function universalTransfers(request: Request, context: Context, responder: Responder): void {
  const parties = sideOf(request, context)
  if (parties instanceof Fault) {
    responder.error(parties.id)
    return
  }
  const { params, nowMs } = request
  const requestId = params.text(RareParam.clientTranId)
  let found: Promise<Movements> | ErrorId
  if (requestId !== undefined) found = named(requestId, parties, request, context)
  else {
    const times = timesWithin(params, nowMs, UNIVERSAL_DAYS)
    found =
      typeof times === 'string' ? times : movements(parties, times, TRANSFERS_MAX, request, context)
  }
  if (typeof found === 'string') responder.error(found)
  else {
    answer(found, parties, context, responder, (result, total) =>
      responder.reply(new Rows(universalTransfersAnswer, { result, total }, request)),
    )
  }
}

function sideOf(request: Request, context: Context): Parties | Fault {
  const family = familyOf(request, context)
  if (family instanceof Fault) return family
  const { params } = request
  const toEmail = params.text(RareParam.toEmail)
  const email = toEmail ?? params.text(RareParam.fromEmail)
  const account = email === undefined ? family[0]! : family.find((it) => emailOf(it) === email)
  if (account === undefined) return new Fault('INVALID_EMAIL')
  return { family, accounts: [account.id], side: toEmail === undefined ? 'from' : 'to' }
}

const anyTime = ({ params }: Request): Times => ({
  startTime: Ms(0),
  endTime: Ms(Number.POSITIVE_INFINITY),
  ...timesOf(params),
})

/** A page of them; `countMax`: how many are counted. */
async function movements(
  { accounts, side }: Parties,
  times: Times,
  countMax: number,
  { params }: Request,
  { history }: Context,
): Promise<Movements> {
  const limit = Math.min(params.number(Param.limit) ?? LIST_MAX, LIST_MAX)
  const offset = ((params.number(RareParam.page) ?? 1) - 1) * limit
  const page = { accounts, side, ...times, offset, limit, countMax }
  return offset < TRANSFERS_MAX ? history.movements(page) : { rows: [], total: 0 }
}

/** The transfer of an id; none where it is not of the account that is named, or of the times. */
async function named(
  requestId: string,
  { accounts: [account], side }: Parties,
  request: Request,
  { history }: Context,
): Promise<Movements> {
  const { params } = request
  const { made } = await history.movementOf({ account: ownerOf(request).id, requestId })
  const { startTime, endTime } = anyTime(request)
  const isNamed = params.has(RareParam.fromEmail) || params.has(RareParam.toEmail)
  const isWanted =
    made !== undefined &&
    (!isNamed || made[side!] === account) &&
    made.movedMs >= startTime &&
    made.movedMs <= endTime
  return isWanted ? { rows: [made], total: 1 } : { rows: [], total: 0 }
}

function answer(
  found: Promise<Movements>,
  { family }: Parties,
  { assets }: Context,
  responder: Responder,
  reply: (transfers: readonly Transfer[], total: number) => void,
): void {
  const emails = new Map(family.map((account) => [account.id, emailOf(account)]))
  found.then(
    ({ rows, total }) => {
      const transfers = rows.map(({ from, to, assetId, requestId, ...row }) => ({
        ...row,
        fromEmail: emails.get(from)!,
        toEmail: emails.get(to)!,
        asset: assets[assetId]!,
        clientTranId: requestId === '' ? undefined : requestId,
      }))
      reply(transfers, total)
    },
    (failure: unknown) => responder.error(historyError(failure)),
  )
}
