/** What happens to orders, one page after another, for programs that assert it. */

import type { EventPage } from '../../shared/operator-query.ts'
import {
  type ActionContext,
  ActionError,
  type Arguments,
  actionsOf,
  type Outcome,
  type Reported,
} from '../action.ts'
import { counted } from '../words.ts'
import { SANDBOX_OFF } from './faults.ts'
import { accountOf, symbolOf } from './named.ts'
import { answerOf } from './trading.ts'

const LIMIT_MAX = 1_000
const WAIT_MS_MAX = 10_000

export const eventActions = actionsOf('sandbox', [
  {
    name: 'events',
    title: 'Show events of the sandbox',
    role: 'watch',
    example: 'events --after 17:1 --symbol BTCUSDT',
    about:
      'Shows what happened to orders of the sandbox since a place; without one says the present place.',
    params: [
      { name: 'after', kind: 'text', about: 'The place: `more` of the answer before.' },
      { name: 'account', kind: 'text', about: 'Name or id of the account; all without it.' },
      { name: 'symbol', kind: 'text', about: 'One symbol; all without it.' },
      { name: 'limit', kind: 'integer', about: `Rows; ${LIMIT_MAX}, which is the most.` },
      {
        name: 'wait',
        kind: 'integer',
        about: `Waits so many ms for a first one; 0, at most ${WAIT_MS_MAX}.`,
      },
    ],
    run: readEvents,
  },
])

/** It asks at once, so that no event comes between the call and the place; other actions do not wait for it. */
function readEvents(args: Arguments, context: ActionContext): Outcome {
  const { view, registry } = context
  if (view.faults === undefined) throw new ActionError(SANDBOX_OFF)
  const page = view.ask(0, {
    ask: 'events',
    after: args.has('after') ? args.text('after') : undefined,
    limit: args.integer('limit', 1, LIMIT_MAX, LIMIT_MAX),
    waitMs: args.integer('wait', 0, WAIT_MS_MAX, 0),
    account: args.has('account') ? accountOf(args, registry).id : undefined,
    symbolId: args.has('symbol') ? symbolOf(args, registry).id : undefined,
  })
  const report = async (): Promise<Reported> => {
    const { rows, more } = answerOf(await page) as EventPage
    return {
      said: `${counted(rows.length, 'event')}.`,
      rows: rows.map(({ account, ...row }) => {
        const { number, time, ...others } = row
        return { number, time, account: registry.accounts[account]!.name, ...others }
      }),
      more,
    }
  }
  return { said: '', report }
}
