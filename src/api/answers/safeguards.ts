/** Answers about what ends an account's orders by itself; extensions. */

import { namesOf, ProtectionStatus } from '../../base/codes.ts'
import { Answer } from './answer.ts'
import { above, integer, name, optional, symbol, time, units } from './element.ts'

/** A countdown of all symbols has no symbol; one that was ended has no time. */
export const countdown = new Answer({
  countdownTime: integer('countdownMs'),
  symbol: optional(symbol('spec')),
  cancelTime: optional(time('deadlineMs')),
})

/** Without bounds and status where there is none. */
export const protection = new Answer({
  symbol: symbol('spec'),
  windowMs: integer('windowMs'),
  maxFills: above('maxFills', 0, integer('maxFills')),
  maxNotional: above('maxNotional', 0, units('maxNotional')),
  status: above('windowMs', 0, name('status', namesOf(ProtectionStatus))),
})
