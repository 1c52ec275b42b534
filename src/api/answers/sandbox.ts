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

/** Why a rule is refused, in one sentence. */
export const faultRefusal = new Answer({ reason: text('reason') })
