/** Fills are read page by page up to a bound, once, and none is counted twice or missed. */
import { expect, test } from 'vitest'
import { formatAtoms } from '../../../src/console/book/decimals.ts'
import type { MarketSymbol } from '../../../src/console/market/symbols.ts'
import type { FillRow } from '../../../src/console/trade/account-rows.ts'
import { FILLS_MAX, Positions } from '../../../src/console/trade/positions.ts'

const symbol = { symbol: 'BTCUSDT', baseAsset: 'BTC', quoteAsset: 'USDT' } as MarketSymbol
const fillOf = (id: number): FillRow => ({
  // Three to a millisecond.
  id,
  orderId: 1,
  price: '1',
  qty: '1',
  quoteQty: '1',
  time: Math.floor(id / 3),
  commission: '0',
  commissionAsset: 'BNB',
  isBuyer: true,
  isMaker: false,
})

type Params = Readonly<Record<string, string | number>>

/** An exchange that has fills 0 to `count` - 1, and answers as the protocol has it. */
class Source {
  readonly isFollowing = true
  count: number
  reads: Params[] = []
  before: (reads: number) => void = () => {}

  constructor(count: number) {
    this.count = count
  }

  async read<Body>(_method: string, params: Params): Promise<Body> {
    this.reads.push(params)
    this.before(this.reads.length)
    const { fromId, endTime = Number.POSITIVE_INFINITY, limit } = params
    const all = Array.from({ length: this.count }, (_, id) => fillOf(id))
    const found = all.filter(({ id, time }) => id >= Number(fromId ?? 0) && time <= Number(endTime))
    const page = fromId === undefined ? found.slice(-Number(limit)) : found.slice(0, Number(limit))
    return page as Body
  }
}

const unitsOf = (positions: Positions) => formatAtoms(positions.of('BTCUSDT')!.position.units)

test.each([
  [0, 1],
  [999, 1],
  [2_500, 3],
])('%i fills are read in %i pages', async (count, reads) => {
  const [positions, source] = [new Positions(), new Source(count)]
  await positions.read(source, symbol)
  await positions.read(source, symbol)
  expect(positions.of('BTCUSDT')).toMatchObject({ fills: count, isCut: false, isReading: false })
  expect(unitsOf(positions)).toBe(String(count))
  expect(source.reads).toHaveLength(reads)
})

test('the newest ten thousand are read, and that older ones are left out is known', async () => {
  const [positions, source] = [new Positions(), new Source(FILLS_MAX + 700)]
  await positions.read(source, symbol)
  expect(positions.of('BTCUSDT')).toMatchObject({ fills: FILLS_MAX, isCut: true })
  expect(source.reads.length).toBeLessThanOrEqual(11)
  const whole = new Positions()
  await whole.read(new Source(FILLS_MAX), symbol)
  expect(whole.of('BTCUSDT')).toMatchObject({ fills: FILLS_MAX, isCut: false })
})

test('fills that come while others are read are counted once', async () => {
  const [positions, source] = [new Positions(), new Source(1_500)]
  source.before = (reads) => {
    if (reads !== 2) return
    for (const id of [1_499, 1_500, 1_501]) positions.take('BTCUSDT', fillOf(id))
  }
  await positions.read(source, symbol)
  expect(unitsOf(positions)).toBe('1502')
  positions.take('BTCUSDT', fillOf(1_501))
  positions.take('BTCUSDT', fillOf(1_502))
  positions.take('ETHUSDT', fillOf(9_999))
  expect(unitsOf(positions)).toBe('1503')
})

test('what was missed is read, also when it was missed while fills were read', async () => {
  const [positions, source] = [new Positions(), new Source(10)]
  await positions.read(source, symbol)
  source.count = 2_100
  positions.catchUp(source)
  positions.take('BTCUSDT', fillOf(2_100))
  await expect.poll(() => unitsOf(positions)).toBe('2101')
  const other = new Positions()
  const late = new Source(1_500)
  late.before = (reads) => {
    if (reads !== 2) return
    late.count = 1_600
    other.catchUp(late)
  }
  await other.read(late, symbol)
  await expect.poll(() => unitsOf(other)).toBe('1600')
})

test('a page that cannot be read leaves nothing, and can be asked for again', async () => {
  const [positions, source] = [new Positions(), new Source(1_500)]
  source.before = (reads) => {
    if (reads === 2) throw new Error('not sent')
  }
  await positions.read(source, symbol)
  expect(positions.of('BTCUSDT')).toBeUndefined()
  await positions.read(source, symbol)
  expect(unitsOf(positions)).toBe('1500')
})
