/** The operator's action that has two accounts trade outside of the book. */
import { CLIENT_ORDER_ID_WORDS, packClientOrderId } from '../../base/client-order-id.ts'
import { int64, isBeyond64 } from '../../base/int64.ts'
import {
  CLIENT_ORDER_ID_CHARS_MAX,
  PRICE_TICKS_MAX,
  QTY_LOTS_MAX,
  RATE_MAX,
  WIRE_DECIMALS,
} from '../../base/limits.ts'
import { Notional } from '../../base/notional.ts'
import { Lots, Ticks } from '../../base/units.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import type { BlockTradeQuery, BlockTradeResult } from '../../shared/operator-query.ts'
import { type ActionContext, ActionError, type Arguments, actionsOf } from '../action.ts'
import type { Registry } from '../registry.ts'
import { amountText, listedSymbolOf, openAccount, symbolParam } from './named.ts'
import { answerOf } from './trading.ts'

export const blockTradeActions = actionsOf('trading', [
  {
    name: 'block-trade',
    title: 'Make a block trade',
    role: 'admin',
    example: 'block-trade BTCUSDT alice bob 60000 2 --id otc-17',
    about:
      'Has two accounts trade outside of the book, each from its free balance. Sent again with its id, it is not made again.',
    params: [
      symbolParam,
      {
        name: 'buyer',
        kind: 'text',
        about: 'Name or id of the account that buys.',
        required: true,
      },
      { name: 'seller', kind: 'text', about: 'Name or id of the one that sells.', required: true },
      { name: 'price', kind: 'amount', about: 'A multiple of the tick.', required: true },
      { name: 'quantity', kind: 'amount', about: 'Of the base asset.', required: true },
      {
        name: 'id',
        kind: 'text',
        about: `Your id of it: 1 to ${CLIENT_ORDER_ID_CHARS_MAX} letters, digits, and .:/_-`,
        required: true,
      },
      { name: 'fee', kind: 'rate', about: 'Share of what each side receives; 0 without it.' },
    ],
    previews: (args, { registry }) => {
      const { spec, buyer, seller } = partiesOf(args, registry)
      const [quantity, price] = [args.text('quantity'), args.text('price')]
      const does = `Have ${buyer.name} buy ${quantity} ${spec.base.name} from ${seller.name} for ${price} ${spec.quote.name} each`
      return { does, note: 'The book does not see it.', yes: 'Trade' }
    },
    run: (args, context) => {
      const { spec, buyer, seller } = partiesOf(args, context.registry)
      const query = queryOf(args, context.registry)
      return {
        said: '',
        report: async () => {
          const made = await make(query, context)
          const again = made.isKnown ? ' was made before' : ' is made'
          const quantity = `${args.text('quantity')} ${spec.base.name}`
          return {
            said: `Block trade ${made.blockTradeId} of ${quantity}${again}.`,
            rows: [
              {
                symbol: spec.name,
                blockTradeId: made.blockTradeId,
                buyer: buyer.name,
                seller: seller.name,
                price: args.text('price'),
                quantity: args.text('quantity'),
                quote: amountText(BigInt(made.quoteAtoms)),
                buyerFee: amountText(BigInt(made.buyerCommissionAtoms)),
                sellerFee: amountText(BigInt(made.sellerCommissionAtoms)),
                time: new Date(made.timeMs).toISOString(),
              },
            ],
          }
        },
      }
    },
  },
])

async function make(query: BlockTradeQuery, { view }: ActionContext): Promise<BlockTradeResult> {
  return answerOf(await view.ask(0, query)) as BlockTradeResult
}

function partiesOf(args: Arguments, registry: Registry) {
  const spec = listedSymbolOf(args, registry)
  const buyer = openAccount(args.text('buyer'), registry)
  const seller = openAccount(args.text('seller'), registry)
  if (buyer.id === seller.id) throw new ActionError('buyer and seller must be two accounts.')
  return { spec, buyer, seller }
}

function queryOf(args: Arguments, registry: Registry): BlockTradeQuery {
  const { spec, buyer, seller } = partiesOf(args, registry)
  const priceTicks = Ticks(stepsOf(args, 'price', spec.tickUnits, PRICE_TICKS_MAX))
  const lots = Lots(stepsOf(args, 'quantity', spec.lotUnits, QTY_LOTS_MAX))
  checkWorth(spec, priceTicks, lots)
  const rate = args.rate('fee', 0)
  if (rate > RATE_MAX) throw new ActionError('fee must be at most 0.5.')
  const requestId = args.text('id')
  if (!packClientOrderId(requestId, new Int32Array(CLIENT_ORDER_ID_WORDS), 0)) {
    throw new ActionError(`id must be 1 to ${CLIENT_ORDER_ID_CHARS_MAX} letters, digits, and .:/_-`)
  }
  const parties = { symbolId: spec.id, buyer: buyer.id, seller: seller.id }
  return { ask: 'blockTrade', ...parties, priceTicks, lots, rate, requestId }
}

/** Returns the amount in whole steps. */
function stepsOf(args: Arguments, name: string, unit: number, most: number): number {
  const units = args.amount(name, WIRE_DECIMALS)
  const steps = units / BigInt(unit)
  if (steps * BigInt(unit) !== units) {
    throw new ActionError(`${name} must be a multiple of ${amountText(BigInt(unit))}.`)
  }
  if (steps > BigInt(most)) throw new ActionError(`${name} is more than the exchange counts.`)
  return Number(steps)
}

function checkWorth(spec: SymbolSpec, priceTicks: Ticks, lots: Lots): void {
  const worth = new Notional(spec).down(priceTicks, lots)
  if (worth < 1)
    throw new ActionError(`It is worth less than the smallest amount of ${spec.quote.name}.`)
  if (isBeyond64(worth) || isBeyond64(int64(BigInt(lots) * BigInt(spec.atomsPerLot)))) {
    throw new ActionError('It is worth more than the exchange counts.')
  }
}
