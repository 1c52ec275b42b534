/** Actions on clients' WebSocket connections. */
import type { SessionRow } from '../../shared/operator-query.ts'
import {
  type ActionContext,
  ActionError,
  type Arguments,
  actionsOf,
  type TableRow,
} from '../action.ts'
import type { Registry } from '../registry.ts'
import { counted } from '../words.ts'
import { accountOf } from './named.ts'
import { pageOf, pageParams } from './pages.ts'
import { answerOf } from './trading.ts'

export const sessionActions = actionsOf('sessions', [
  {
    name: 'sessions',
    title: 'Show open WebSockets',
    role: 'watch',
    example: 'sessions --account alice',
    about: 'Shows open WebSocket connections, of an account or all.',
    params: [
      { name: 'account', kind: 'text', about: 'Name or id of the account; all without it.' },
      ...pageParams,
    ],
    rowAction: { name: 'session-close', label: 'Close', takes: { session: 'session' } },
    run: sessions,
  },
  {
    name: 'session-close',
    title: 'Close a WebSocket',
    role: 'support',
    example: 'session-close 0:17',
    about: 'Closes a WebSocket connection; its client may connect again.',
    params: [{ name: 'session', kind: 'text', about: 'As sessions shows it.', required: true }],
    previews: (args) => ({
      does: `Close session ${args.text('session')}`,
      note: 'Orders with cancel on disconnect are canceled. Its client may connect again.',
      yes: 'Close',
    }),
    run: async (args, { view }) => {
      const text = args.text('session')
      const [gateway = -1, session = -1] = /^[0-9]{1,3}:[0-9]{1,15}$/.test(text)
        ? text.split(':').map(Number)
        : []
      const absent = new ActionError(`There is no session ${text}.`)
      if (gateway < 0 || gateway >= view.gateways) throw absent
      const query = {
        ask: 'sessions',
        after: session - 1,
        limit: 1,
        account: undefined,
      } as const
      const [found] = answerOf(await view.ask(gateway, query)) as SessionRow[]
      if (found?.session !== session) throw absent
      return {
        said: '',
        report: async () => {
          const isClosed = answerOf(await view.ask(gateway, { ask: 'closeSession', session }))
          if (isClosed !== true) throw absent
          return `Session ${text} is closed.`
        },
      }
    },
  },
])

/** By gateway and number. */
async function sessions(args: Arguments, { registry, view }: ActionContext) {
  const { limit, after } = pageOf(args, 2)
  const account = args.has('account') ? accountOf(args, registry).id : undefined
  const [firstGateway = 0, afterSession = 0] = after
  const rows: TableRow[] = []
  for (let gateway = firstGateway; gateway < view.gateways && rows.length < limit; gateway++) {
    const found = answerOf(
      await view.ask(gateway, {
        ask: 'sessions',
        after: gateway === firstGateway ? afterSession : 0,
        limit: limit - rows.length,
        account,
      }),
    ) as SessionRow[]
    rows.push(...found.map((row) => sessionRow(gateway, row, registry)))
  }
  const said = `${counted(rows.length, 'session')}.`
  const last = rows.at(-1)
  return rows.length === limit ? { said, rows, more: String(last!.session) } : { said, rows }
}

function sessionRow(gateway: number, row: SessionRow, { accounts }: Registry): TableRow {
  return {
    session: `${gateway}:${row.session}`,
    transport: row.transport,
    address: row.address,
    accounts: row.accounts.map((id) => accounts[id]?.name ?? String(id)).join(', '),
    key: row.apiKey,
    streams: row.streams,
    seconds: row.seconds,
    unreadBytes: row.unreadBytes,
  }
}
