/** Types of rules in the public interface are those of the rule's tables; amounts stay exact. */
import { expect, test } from 'vitest'
import { decimalText } from '../../../src/assembly/embedded-accounts.ts'
import type { VenueFault, VenueFaultEffects } from '../../../src/assembly/options.ts'
import type {
  FaultEffect,
  FaultField,
  faultEffects,
  faultFields,
} from '../../../src/market/fault-rule.ts'

type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false
type Effects = typeof faultEffects
type Fields = typeof faultFields

/** Fields beside those of every rule, whether they must be given, and their types. */
type Typed<Names extends FaultField> = {
  readonly [Field in Names]: Fields[Field] extends { choices: readonly (infer Choice)[] }
    ? Choice
    : Fields[Field]['kind'] extends 'text'
      ? string
      : number
}
type PlaceOf<Effect extends FaultEffect> = Effects[Effect]['touches'] extends 'frames'
  ? 'stream'
  : Effects[Effect]['touches'] extends 'symbols'
    ? 'key'
    : 'key' | 'operation' | 'parameter'
type Wanted<Effect extends FaultEffect> = Typed<Effects[Effect]['needs'][number]> &
  Partial<Typed<Effects[Effect]['takes'][number] | PlaceOf<Effect>>>
type Plain<Shape> = { [Key in keyof Shape]: Shape[Key] }
type IsSame<One, Other> =
  Same<Required<One>, Required<Other>> extends true ? Same<One, Other> : false
/** Effects whose types differ from the table's. */
type Different = {
  [Effect in FaultEffect]: IsSame<
    Plain<Wanted<Effect>>,
    Plain<VenueFaultEffects[Effect]>
  > extends true
    ? never
    : Effect
}[FaultEffect]
type Everywhere = Exclude<
  FaultField,
  'do' | 'key' | 'operation' | 'parameter' | 'stream' | OwnFields
>
/** A halt alone must have the field symbol, which all may have. */
type OwnFields = Exclude<
  {
    [Effect in FaultEffect]: (Effects[Effect]['needs'] | Effects[Effect]['takes'])[number]
  }[FaultEffect],
  'symbol'
>

test('the public types of rules are those of the tables', () => {
  // Checked by the compiler.
  const areSame: Same<Different, never> = true
  const effects: Same<keyof VenueFaultEffects, FaultEffect> = true
  type Common = Exclude<keyof Extract<VenueFault, { do: 'cut' }>, 'do' | PlaceOf<'cut'>>
  const common: Same<Common, Everywhere> = true
  expect([areSame, effects, common]).toEqual([true, true, true])
})

test.each([
  [10_000, '10000'],
  [0.1, '0.1'],
  [12.345, '12.345'],
  [1e-8, '0.00000001'],
  [1.25e-7, '0.000000125'],
  [1e21, '1000000000000000000000'],
  [1.5e22, '15000000000000000000000'],
  ['0.30', '0.30'],
])('the amount %o is %s', (amount, text) => {
  expect(decimalText(amount)).toBe(text)
  expect(Number(decimalText(amount))).toBe(Number(amount))
})

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('%d is no amount', (amount) => {
  expect(() => decimalText(amount)).toThrow(RangeError)
})
