/** The kinds of settings. */

interface KnobText {
  readonly flag: string
  readonly unit: string
  readonly about: string
}
interface NumberKnob extends KnobText {
  readonly kind: 'integer'
  readonly default: number
  readonly min: number
  readonly max: number
  readonly powerOfTwo?: true
}
/** Days as a number, or `demo`: a usual number in a data folder that was made as a demo. */
interface DaysKnob extends KnobText {
  readonly kind: 'days'
  readonly default: 'demo'
  readonly min: number
  readonly max: number
}
interface ChoiceKnob extends KnobText {
  readonly kind: 'choice'
  readonly default: string
  readonly choices: readonly string[]
}
interface AddressesKnob extends KnobText {
  readonly kind: 'addresses'
  readonly default: string
}
interface OriginsKnob extends KnobText {
  readonly kind: 'origins'
  readonly default: string
}
interface OriginKnob extends KnobText {
  readonly kind: 'origin'
  readonly default: string
}
interface ProcessorsKnob extends KnobText {
  readonly kind: 'processors'
  readonly default: string
}
interface PostgresKnob extends KnobText {
  readonly kind: 'postgres'
  readonly default: string
}
interface TextKnob extends KnobText {
  readonly kind: 'text'
  readonly default: string
}
export type Knob =
  | NumberKnob
  | DaysKnob
  | ChoiceKnob
  | AddressesKnob
  | OriginsKnob
  | OriginKnob
  | ProcessorsKnob
  | PostgresKnob
  | TextKnob
