/** Answers of the sandbox. */
import { Answer } from './answer.ts'
import { flag, id, integer, text } from './element.ts'

/** A rule of the caller's account. */
export const faultAnswer = new Answer({
  name: id('name'),
  do: id('do'),
  rule: text('rule'),
  matches: integer('matches'),
  touched: integer('touched'),
  isOver: flag('isOver'),
})

/** What the faucet credited. */
export const faucetAnswer = new Answer({ asset: id('asset'), amount: id('amount') })

/** What is on its way to the account over a chain. */
export const transferAnswer = new Answer({
  coin: id('coin'),
  network: id('network'),
  address: id('address'),
  addressTag: text('addressTag'),
  amount: id('amount'),
  txId: id('txId'),
})

/** A balance of an account that was reset. */
export const resetAnswer = new Answer({
  asset: id('asset'),
  free: id('free'),
  locked: id('locked'),
})

/** What the exchange's counterparty traded with the caller's order. */
export const fillAnswer = new Answer({
  symbol: id('symbol'),
  orderId: integer('orderId'),
  filled: id('filled'),
  left: id('left'),
  status: id('status'),
  alsoTaken: id('alsoTaken'),
})

/** Why a rule, a credit or a fill is refused, in one sentence. */
export const sandboxRefusal = new Answer({ reason: text('reason') })
