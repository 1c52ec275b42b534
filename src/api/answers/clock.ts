/** The exchange's clock, as clients see it. */
import { Answer } from './answer.ts'
import { flag, integer, time, wireValue } from './element.ts'
import { list, text } from './schema.ts'

export const clockAnswer = new Answer({
  serverTime: time('nowMs'),
  virtual: flag('isVirtual'),
  paused: flag('isPaused'),
  speed: wireValue<number>({ type: 'number' })('speed'),
  moving: flag('isMoving'),
  participants: integer('participants'),
  heldBy: wireValue<readonly string[]>(list(text))('heldBy'),
})
