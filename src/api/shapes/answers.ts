/** How an operation's row says what it answers with 200: one of the shapes, a list of it, or either. */
import { list, type Schema } from './schema.ts'
import { anyShape, type ShapeName, shape } from './shapes.ts'

export const one = (...names: readonly ShapeName[]): Schema =>
  names.length === 1 ? shape(names[0]!) : anyShape(...names)

export const many = (...names: readonly ShapeName[]): Schema => list(one(...names))

/** An object for `symbol`, an array for `symbols` or for none. */
export const oneOrMany = (...names: readonly ShapeName[]): Schema => ({
  oneOf: [...names.map(shape), many(...names)],
})

/** What placing an order answers, by its newOrderRespType. */
export const placed = one('OrderAck', 'OrderResult', 'OrderFull')
