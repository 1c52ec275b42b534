/** Requests of an account to the sandbox: rules, which the main thread keeps, money and fills. */
import { isTable, type Table } from '../../base/cold-input.ts'
import { OrderId } from '../../base/units.ts'
import type { SandboxRequest } from '../../sandbox/requests.ts'
import { Rows } from '../answers/answer.ts'
import {
  faucetAnswer,
  faultAnswer,
  fillAnswer,
  resetAnswer,
  sandboxRefusal,
  transferAnswer,
} from '../answers/sandbox.ts'
import type { Context, Request, Responder } from '../context.ts'
import { Param, RareParam } from '../parameters.ts'
import { ownerOf } from './owner.ts'

export function addFault(request: Request, context: Context, responder: Responder): void {
  const given = objectOf(request.params.text(RareParam.rule) as string)
  if (given === undefined) refuse(request, responder, 'rule', 'rule must be a JSON object.')
  else ask(request, context, responder, 'rule', { ask: 'add', account: ownerOf(request).id, given })
}

export function faults(request: Request, context: Context, responder: Responder): void {
  ask(request, context, responder, '', { ask: 'list', account: ownerOf(request).id })
}

export function removeFault(request: Request, context: Context, responder: Responder): void {
  const name = request.params.text(RareParam.name)
  ask(request, context, responder, 'name', { ask: 'remove', account: ownerOf(request).id, name })
}

export function faucet(request: Request, context: Context, responder: Responder): void {
  const asset = request.params.text(RareParam.asset) as string
  const amount = request.params.text(RareParam.amount)
  const param = amount === undefined ? 'asset' : 'amount'
  const account = ownerOf(request).id
  ask(request, context, responder, param, { ask: 'faucet', account, asset, amount })
}

export function resetAccount(request: Request, context: Context, responder: Responder): void {
  ask(request, context, responder, '', { ask: 'resetAccount', account: ownerOf(request).id })
}

export function chainTransfer(request: Request, context: Context, responder: Responder): void {
  const { params } = request
  ask(request, context, responder, 'amount', {
    ask: 'chainTransfer',
    account: ownerOf(request).id,
    coin: params.text(RareParam.coin)!,
    network: params.text(RareParam.network),
    address: params.text(RareParam.address)!,
    addressTag: params.text(RareParam.addressTag) ?? '',
    amount: params.text(RareParam.amount)!,
    requestId: params.text(RareParam.requestId),
  })
}

export function fillOrder(request: Request, context: Context, responder: Responder): void {
  const { params } = request
  const symbol = params.text(Param.symbol) as string
  const quantity = params.text(RareParam.amount)
  const param = quantity === undefined ? 'orderId' : 'amount'
  ask(request, context, responder, param, {
    ask: 'fill',
    account: ownerOf(request).id,
    isOwn: true,
    symbol,
    quantity,
    orderId: OrderId(params.number(Param.orderId) as number),
  })
}

/**
 * Answers with the rules that the account has then, with its credit, its balances or a fill. `param` is the one
 * that a refusal names.
 */
function ask(
  request: Request,
  context: Context,
  responder: Responder,
  param: string,
  asked: SandboxRequest,
): void {
  context.askSandbox(asked).then((answer) => {
    if ('refused' in answer) refuse(request, responder, param, answer.refused)
    else if ('rows' in answer) responder.reply(new Rows(faultAnswer, answer.rows, request))
    else if ('balances' in answer) responder.reply(new Rows(resetAnswer, answer.balances, request))
    else if ('filled' in answer) responder.reply(new Rows(fillAnswer, answer.filled, request))
    else if ('transferred' in answer)
      responder.reply(new Rows(transferAnswer, answer.transferred, request))
    else if ('credited' in answer) responder.reply(new Rows(faucetAnswer, answer.credited, request))
  })
}

const refuse = (request: Request, responder: Responder, param: string, reason: string): void =>
  responder.error('INVALID_PARAMETER', [param], new Rows(sandboxRefusal, { reason }, request))

function objectOf(text: string): Table | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isTable(value) ? value : undefined
  } catch {
    return undefined
  }
}
