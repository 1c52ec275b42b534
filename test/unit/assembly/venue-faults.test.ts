/** Types of rules in the public interface are those of the rule's tables; amounts stay exact. */
import { expect, test } from 'vitest'
import { TOUCHES_LOGGED_MAX } from '../../../src/agents/gateway-agent.ts'
import { decimalText } from '../../../src/assembly/embedded-accounts.ts'
import { startHere } from '../../../src/assembly/in-this-process.ts'
import type { VenueFault, VenueFaultEffects } from '../../../src/assembly/options.ts'
import type {
  FaultEffect,
  FaultField,
  faultEffects,
  faultFields,
} from '../../../src/sandbox/fault-fields.ts'

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
  ? 'stream' | 'over'
  : Effects[Effect]['touches'] extends 'connections'
    ? never
    : Effects[Effect]['touches'] extends 'symbols'
      ? 'key'
      : 'key' | 'operation' | 'parameter' | 'over'
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
  'do' | 'key' | 'operation' | 'parameter' | 'stream' | 'over' | OwnFields
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
  type Common = Exclude<keyof Extract<VenueFault, { do: 'twice' }>, 'do' | PlaceOf<'twice'>>
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

test('the log says when a rule first touches something: once a rule, and of so many rules in a minute', async () => {
  const lines: string[] = []
  const exchange = await startHere({
    log: (line) => void lines.push(line),
    settings: { 'log-level': 'info' },
  })
  const touched = () =>
    lines.map((line) => JSON.parse(line)).filter(({ msg }) => /first time/.test(msg))
  await exchange.faults.add({ name: 'slow', do: 'delay', ms: 0, operation: 'ping' })
  for (let i = 0; i < 3; i++) await exchange.fetch('/api/v3/ping')
  await exchange.faults.add({ name: 'other', do: 'delay', ms: 0, operation: 'time' })
  await exchange.fetch('/api/v3/ping')
  expect(touched()).toMatchObject([{ level: 30, rule: 'slow', do: 'delay' }])
  for (let i = 0; i < TOUCHES_LOGGED_MAX; i++) {
    await exchange.faults.add({ name: 'again', do: 'delay', ms: 0, operation: 'ping' })
    await exchange.fetch('/api/v3/ping')
  }
  expect(touched()).toHaveLength(TOUCHES_LOGGED_MAX)
  await exchange.close()
})
