/** Answers about what ends an account's orders by itself; extensions. */
import { Answer } from './answer.ts'
import { integer, optional, symbol, time } from './element.ts'

/** Of all symbols without a symbol; without a time where it was ended. */
export const countdown = new Answer({
  countdownTime: integer('countdownMs'),
  symbol: optional(symbol('spec')),
  cancelTime: optional(time('deadlineMs')),
})
