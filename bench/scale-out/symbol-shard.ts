/** The shard that owns some symbols: their books, in price and time order. It knows no balances. */
import { type Block, type Command, type Order, type Row, type Shard, Side } from './records.ts'

interface Resting {
  readonly order: Order
  lotsLeft: number
}

export class SymbolShard implements Shard {
  readonly #isOwn: (symbol: number) => boolean
  /** By symbol and side: best price first, then oldest. */
  readonly #queues = new Map<number, Resting[]>()
  readonly open = new Map<number, Resting>()

  constructor(isOwn: (symbol: number) => boolean) {
    this.#isOwn = isOwn
  }

  execute(command: Command): readonly Row[] {
    const resting = this.open.get(command.order.id)
    if (command.kind === 'place' || resting === undefined) return []
    return [this.#done({ kind: 'closed', order: resting.order, lotsLeft: resting.lotsLeft })]
  }

  /** Matches the orders that have reserved. */
  take(block: Block): readonly Row[] {
    return block.rows.flatMap((row) =>
      row.kind === 'reserved' && this.#isOwn(row.order.symbol) ? this.match(row.order) : [],
    )
  }

  match(order: Order): readonly Row[] {
    const rows = [this.#done({ kind: 'opened', order })]
    const makers = this.#queueOf(order.symbol, order.side === Side.buy ? Side.sell : Side.buy)
    for (let taker = this.open.get(order.id); taker; taker = this.open.get(order.id)) {
      const maker = makers[0]
      if (maker === undefined || !crosses(order, maker.order.price)) break
      const lots = Math.min(maker.lotsLeft, taker.lotsLeft)
      const { price } = maker.order
      const [buy, sell] = order.side === Side.buy ? [order, maker.order] : [maker.order, order]
      rows.push(this.#done({ kind: 'traded', trade: { buy, sell, price, lots } }))
    }
    return rows
  }

  apply(row: Row): void {
    if (row.kind === 'opened') this.#rest(row.order)
    else if (row.kind === 'closed') this.#remove(row.order)
    else if (row.kind === 'traded') {
      for (const order of [row.trade.buy, row.trade.sell]) this.#reduce(order, row.trade.lots)
    }
  }

  #done(row: Row): Row {
    this.apply(row)
    return row
  }

  #rest(order: Order): void {
    const resting = { order, lotsLeft: order.lots }
    this.open.set(order.id, resting)
    const queue = this.#queueOf(order.symbol, order.side)
    let at = queue.length
    while (at > 0 && isBetter(order, queue[at - 1]!.order)) at--
    queue.splice(at, 0, resting)
  }

  #reduce(order: Order, lots: number): void {
    const resting = this.open.get(order.id)!
    resting.lotsLeft -= lots
    if (resting.lotsLeft === 0) this.#remove(order)
  }

  #remove(order: Order): void {
    const queue = this.#queueOf(order.symbol, order.side)
    const at = queue.findIndex((resting) => resting.order.id === order.id)
    queue.splice(at, 1)
    this.open.delete(order.id)
  }

  #queueOf(symbol: number, side: Side): Resting[] {
    const key = 2 * symbol + side
    const known = this.#queues.get(key)
    if (known !== undefined) return known
    const queue: Resting[] = []
    this.#queues.set(key, queue)
    return queue
  }
}

const crosses = ({ side, price }: Order, makerPrice: number): boolean =>
  side === Side.buy ? makerPrice <= price : makerPrice >= price

const isBetter = (order: Order, than: Order): boolean =>
  order.side === Side.buy ? order.price > than.price : order.price < than.price
