/** The operator's action by which the exchange's counterparty fills a resting order. */
import { OrderId } from '../../base/units.ts'
import { ActionError, actionsOf } from '../action.ts'
import { SANDBOX_OFF } from './faults.ts'
import { symbolParam } from './named.ts'

export const fillActions = actionsOf('sandbox', [
  {
    name: 'fill',
    title: 'Fill a resting order',
    role: 'admin',
    example: 'fill BTCUSDT 17 0.3',
    about: "Has the sandbox's counterparty fill a resting order at its price.",
    params: [
      symbolParam,
      { name: 'id', kind: 'text', about: 'Its order id.', required: true },
      {
        name: 'quantity',
        kind: 'text',
        about: 'Of the base asset, as 0.3; or of the order, as 30%; all that is left without it.',
      },
    ],
    run: (args, { view, counterparty }) => {
      if (view.faults === undefined || counterparty === undefined)
        throw new ActionError(SANDBOX_OFF)
      const orderId = OrderId(args.integer('id', 1, Number.MAX_SAFE_INTEGER))
      const quantity = args.has('quantity') ? args.text('quantity') : undefined
      const wish = { symbol: args.text('symbol'), orderId, quantity, account: undefined }
      return {
        said: '',
        report: async () => {
          const { account, ...filled } = await counterparty.fill(wish)
          const said = `Order ${orderId} of ${account.name} got ${filled.filled}, and is ${filled.status}.`
          return { said, rows: [{ account: account.name, ...filled }] }
        },
      }
    },
  },
])
