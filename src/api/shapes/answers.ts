/** How an operation's row says what it answers with 200: one of the shapes, a list of it, or either. */
import { anyShape, list, type Schema, shape } from './schema.ts'
import type { ShapeName } from './shapes.ts'

export const one = (...names: readonly ShapeName[]): Schema =>
  names.length === 1 ? shape(names[0]!) : anyShape(...names)

export const many = (...names: readonly ShapeName[]): Schema => list(one(...names))

/** An object for `symbol`, an array for `symbols` or for none. */
export const oneOrMany = (...names: readonly ShapeName[]): Schema => ({
  oneOf: [...names.map((name) => shape(name)), many(...names)],
})

/** What placing an order answers, by its newOrderRespType. */
export const placed = one('OrderAck', 'OrderResult', 'OrderFull')
