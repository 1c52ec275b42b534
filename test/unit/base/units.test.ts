/** What the units of base/units.ts let pass and what not; the type checker decides at build. */
import { expect, expectTypeOf, test } from 'vitest'
import type {
  AccountId,
  AssetId,
  Atoms,
  BaseAtoms,
  Lots,
  Ms,
  OrderId,
  OrderListId,
  QuoteAtoms,
  SymbolId,
  Ticks,
  TradeId,
} from '../../../src/base/units.ts'
import type { OrderBook } from '../../../src/core/book/face.ts'
import type { Details } from '../../../src/core/matching/details.ts'
import { type OrderAccepted, Trade } from '../../../src/layout/accessors.gen.ts'
import { fieldTypes } from '../../../src/layout/schema/field.ts'
import { fieldsOf, schemas } from '../../../src/layout/schema.ts'

/** Whether a value of the first type can be passed where the second is wanted. */
type Fits<Given, Wanted> = Given extends Wanted ? true : false

interface Units {
  Ticks: Ticks
  Lots: Lots
  Atoms: Atoms
  Ms: Ms
  OrderId: OrderId
  TradeId: TradeId
  OrderListId: OrderListId
  AccountId: AccountId
  SymbolId: SymbolId
  AssetId: AssetId
}
/** Every unit that fits where another one is wanted. */
type Confusions = {
  [Given in keyof Units]: {
    [Wanted in keyof Units]: Given extends Wanted
      ? never
      : Fits<Units[Given], Units[Wanted]> extends true
        ? `${Given} as ${Wanted}`
        : never
  }[keyof Units]
}[keyof Units]

test('no unit is another', () => {
  expectTypeOf<Confusions>().toEqualTypeOf<never>()
  expectTypeOf<Fits<BaseAtoms, QuoteAtoms>>().toEqualTypeOf<false>()
  expectTypeOf<Fits<QuoteAtoms, BaseAtoms>>().toEqualTypeOf<false>()
  expectTypeOf<Fits<QuoteAtoms, Lots>>().toEqualTypeOf<false>()
  expectTypeOf<Fits<QuoteAtoms, Atoms>>().toEqualTypeOf<true>()
})

test('a unit is a number', () => {
  expectTypeOf<Fits<Units[keyof Units], number>>().toEqualTypeOf<true>()
})

test('accessors, book and columns have units', () => {
  expectTypeOf(Trade.tradeLots).returns.toEqualTypeOf<Lots>()
  expectTypeOf(Trade.priceTicks).returns.toEqualTypeOf<Ticks>()
  expectTypeOf(Trade.quoteAtoms).returns.toEqualTypeOf<QuoteAtoms>()
  expectTypeOf(Trade.takerAccount).returns.toEqualTypeOf<AccountId>()
  type Set = Parameters<typeof OrderAccepted.setPriceTicks>[2]
  expectTypeOf<Fits<Lots, Set>>().toEqualTypeOf<false>()
  type Rest = Parameters<OrderBook['rest']>
  expectTypeOf<Fits<[number, Lots, Ticks, OrderId, AccountId], Rest>>().toEqualTypeOf<false>()
  expectTypeOf<Fits<[number, Ticks, Lots, OrderId, AccountId], Rest>>().toEqualTypeOf<true>()
  expectTypeOf<OrderBook['openLots'][number]>().toEqualTypeOf<Lots>()
  expectTypeOf<ReturnType<Details['hiddenLots']['of']>>().toEqualTypeOf<Lots>()
})

test('a field whose name ends with a unit is of that unit', () => {
  const endings = { ticks: 'Ticks', lots: 'Lots', ms: 'Ms' } as const
  for (const schema of schemas) {
    for (const { name, type } of fieldsOf(schema)) {
      const ending = /(?:^|[a-z])(Ticks|Lots|Atoms|Ms|lots|atoms)\d?$/
        .exec(name)?.[1]
        ?.toLowerCase()
      const { unit } = fieldTypes[type]
      if (ending === 'atoms') expect(unit, name).toMatch(/Atoms$/)
      else if (ending !== undefined && ending in endings) {
        expect(unit, name).toBe(endings[ending as keyof typeof endings])
      }
    }
  }
})
