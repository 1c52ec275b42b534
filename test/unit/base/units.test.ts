/** What the units of base/units.ts let pass and what not; the type checker decides at build. */

import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, expectTypeOf, test } from 'vitest'
import type { Int64 } from '../../../src/base/int64.ts'
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
  TickLots,
  Ticks,
  TradeId,
} from '../../../src/base/units.ts'
import type { OrderBook } from '../../../src/core/book/order-book.ts'
import type { Details } from '../../../src/core/matching/details.ts'
import { type OrderAccepted, Trade } from '../../../src/layout/accessors.gen.ts'
import { fieldTypes } from '../../../src/layout/schema/field.ts'
import { fieldsOf, schemas } from '../../../src/layout/schema.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'

/** Whether a value of the first type can be passed where the second is wanted. */
type Fits<Given, Wanted> = Given extends Wanted ? true : false

interface Units {
  Ticks: Ticks
  Lots: Lots
  TickLots: TickLots
  Atoms: Atoms
  BaseAtoms: BaseAtoms
  QuoteAtoms: QuoteAtoms
  Ms: Ms
  OrderId: OrderId
  TradeId: TradeId
  OrderListId: OrderListId
  AccountId: AccountId
  SymbolId: SymbolId
  AssetId: AssetId
}
/** Every unit that a plain number fits. */
type NumbersFit<Of> = {
  [Name in keyof Of]: Fits<number, Of[Name]> extends true ? Name : never
}[keyof Of]
/** Every unit that fits where another one is wanted. */
type Confusions = {
  [Given in keyof Units]: {
    [Wanted in keyof Units]: Given extends Wanted
      ? never
      : Fits<Units[Given], Units[Wanted]> extends true
        ? `${Given} for ${Wanted}`
        : never
  }[keyof Units]
}[keyof Units]

test('no unit is another', () => {
  expectTypeOf<Confusions>().toEqualTypeOf<'BaseAtoms for Atoms' | 'QuoteAtoms for Atoms'>()
  expectTypeOf<Fits<BaseAtoms, QuoteAtoms>>().toEqualTypeOf<false>()
  expectTypeOf<Fits<QuoteAtoms, BaseAtoms>>().toEqualTypeOf<false>()
  expectTypeOf<Fits<QuoteAtoms, Lots>>().toEqualTypeOf<false>()
  expectTypeOf<Fits<QuoteAtoms, Atoms>>().toEqualTypeOf<true>()
})

/** Units of 64 bits: a value may be a bigint. */
type Wide = 'TickLots' | 'Atoms' | 'BaseAtoms' | 'QuoteAtoms'

test('a unit is a number, and no number is a unit', () => {
  expectTypeOf<Fits<Units[Exclude<keyof Units, Wide>], number>>().toEqualTypeOf<true>()
  expectTypeOf<Fits<Units[Wide], Int64>>().toEqualTypeOf<true>()
  expectTypeOf<NumbersFit<Units>>().toEqualTypeOf<never>()
})

/** Lines that a compiler accepts (true) or refuses, where one variable of each kind is declared. */
const lines: readonly (readonly [line: string, isAccepted: boolean])[] = [
  ['lots = lots', true],
  ['lots = Lots(5)', true],
  ['lots = Lots(lots - lots)', true],
  ['lots = Lots(lots)', true],
  ['number = lots', true],
  ['number = lots * ticks', true],
  ['number += lots', true],
  ['column[0] = lots', true],
  ['lots = column[0]!', true],
  ['lots = 5', false],
  ['lots = number', false],
  ['lots = ticks', false],
  ['lots = Lots(ticks)', false],
  ['lots = lots + lots', false],
  ['lots += lots', false],
  ['lots += ticks', false],
  ['lots += number', false],
  ['lots -= lots', false],
  ['lots *= 2', false],
  ['lots ||= number', false],
  ['lots ??= ticks', false],
  ['row.lots += lots', false],
  ['row.lots = number', false],
  ['column[0] = number', false],
  ['column[0] += lots', false],
  ['column.fill(0)', false],
  ['column = new Float64Array(1)', false],
  ['take(number)', false],
  ['take(ticks)', false],
  ['void (lots === ticks)', false],
  ['timeMs = Ms(Date.now())', true],
  ['timeMs = Ms(timeMs + 1_000)', true],
  ['void (timeMs < timeMs + number)', true],
  ['timeMs = Date.now()', false],
  ['timeMs = timeMs + 1_000', false],
  ['timeMs -= number', false],
  ['timeMs = Ms(lots)', false],
  ['atoms = plus(atoms, atoms)', true],
  ['atoms = minus(atoms, atoms)', true],
  ['void (atoms < atoms)', true],
  ['void (atoms === atoms)', true],
  ['atoms = Atoms(atoms + atoms)', false],
  ['atoms = Atoms(atoms - atoms)', false],
  ['atoms = Atoms(2 * atoms)', false],
  ['atoms += atoms', false],
  ['number = atoms', false],
  ['void Math.max(atoms, atoms)', false],
  ['atoms = plus(atoms, lots)', false],
]

test('a sum is no unit before it is named as one, in any assignment', { timeout: 60_000 }, () => {
  const folder = temporaryFolder()
  const head = [
    `import { Atoms, Lots, Ms, Ticks, type Doubles } from '${path.resolve('src/base/units.ts')}'`,
    `import { minus, plus } from '${path.resolve('src/base/int64.ts')}'`,
    'export let atoms = Atoms(1)',
    'export let lots = Lots(1), ticks = Ticks(1), timeMs = Ms(1), number = 1',
    'export declare const row: { lots: Lots }, take: (lots: Lots) => void',
    'export declare let column: Doubles<Lots>',
  ]
  const file = path.join(folder, 'lines.ts')
  writeFileSync(file, [...head, ...lines.map(([line]) => line)].join('\n'))
  const options = '--noEmit --strict --target es2023 --module nodenext --allowImportingTsExtensions'
  const { stdout } = spawnSync(
    process.execPath,
    [path.resolve('node_modules/typescript/bin/tsc'), ...options.split(' '), file],
    { cwd: folder, encoding: 'utf8' },
  )
  const refused = [...stdout.matchAll(/lines\.ts\((\d+),/g)].map((match) => Number(match[1]))
  const wanted = lines.flatMap(([, isAccepted], i) => (isAccepted ? [] : [head.length + 1 + i]))
  expect([...new Set(refused)].map((line) => lines[line - head.length - 1]?.[0])).toEqual(
    wanted.map((line) => lines[line - head.length - 1]?.[0]),
  )
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
