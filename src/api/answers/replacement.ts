/** What canceling an order and placing another in one command answers (rest-api.md, cancelReplace). */

import { Answer } from './answer.ts'
import { answer, constant, name } from './element.ts'
import { anyShape } from './schema.ts'

/** Numbers of the outcomes of a half. */
export const HalfResult = { SUCCESS: 0, FAILURE: 1, NOT_ATTEMPTED: 2 } as const
export type HalfResult = (typeof HalfResult)[keyof typeof HalfResult]
const resultNames = ['SUCCESS', 'FAILURE', 'NOT_ATTEMPTED'] as const

const responses = {
  cancelResponse: answer(anyShape('CanceledOrder', 'CanceledOrderList'))('cancelResponse'),
  newOrderResponse: answer(anyShape('OrderAck', 'OrderResult', 'OrderFull'))('newOrderResponse'),
} as const

/** Both halves succeeded. */
export const replacedOrder = new Answer({
  cancelResult: constant('SUCCESS'),
  newOrderResult: constant('SUCCESS'),
  ...responses,
})

/** The `data` of the error where one did not: a half that failed has an error, one not attempted null. */
export const failedReplacement = new Answer({
  cancelResult: name('cancelResult', resultNames),
  newOrderResult: name('newOrderResult', resultNames),
  ...responses,
})
