/** How the exchange's clock is: the main thread knows, which moves it. */
import { Rows } from '../answers/answer.ts'
import { clockAnswer } from '../answers/clock.ts'
import type { Context, Request, Responder } from '../context.ts'

export function clock(request: Request, context: Context, responder: Responder): void {
  context.askSandbox({ ask: 'clock' }).then((answer) => {
    if ('clock' in answer) responder.reply(new Rows(clockAnswer, answer.clock, request))
  })
}
