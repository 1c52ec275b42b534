/** The rules of the sandbox that an account makes for itself: the main thread keeps them. */
import type { FaultRequest } from '../../market/fault-rule.ts'
import { Rows } from '../answers/answer.ts'
import { faultAnswer, faultRefusal } from '../answers/sandbox.ts'
import type { Context, Request, Responder } from '../context.ts'
import { RareParam } from '../parameters.ts'
import { ownerOf } from './owner.ts'

export function addFault(request: Request, context: Context, responder: Responder): void {
  const given = objectOf(request.params.text(RareParam.rule) as string)
  if (given === undefined) refuse(request, responder, 'rule', 'rule must be a JSON object.')
  else {
    ask(request, context, responder, 'rule', {
      ask: 'add',
      account: ownerOf(request).id,
      given,
    })
  }
}

export function faults(request: Request, context: Context, responder: Responder): void {
  ask(request, context, responder, '', { ask: 'list', account: ownerOf(request).id })
}

export function removeFault(request: Request, context: Context, responder: Responder): void {
  const name = request.params.text(RareParam.name)
  ask(request, context, responder, 'name', { ask: 'remove', account: ownerOf(request).id, name })
}

/** Answers with the rules that the account has then. `param` is the one that a refusal names. */
function ask(
  request: Request,
  context: Context,
  responder: Responder,
  param: string,
  question: FaultRequest,
): void {
  context.askFaults(question).then((answer) => {
    if ('refused' in answer) refuse(request, responder, param, answer.refused)
    else responder.reply(new Rows(faultAnswer, answer.rows, request))
  })
}

const refuse = (request: Request, responder: Responder, param: string, reason: string): void =>
  responder.error('INVALID_PARAMETER', [param], new Rows(faultRefusal, { reason }, request))

function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
