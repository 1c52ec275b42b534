/**
 * Renderers from shapes (shapes/shapes.ts): one function that concatenates the names of the members with
 * their values, in the order of the shape. Lists of trades cost what they cost by hand; orders, reports and
 * depth are written by hand, because they cost more this way (bench `render`).
 *
 * What is free text is escaped. Decimals and names of enumerations need none.
 */
import type { Schema } from '../shapes/schema.ts'

interface Shape {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: unknown
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly prefixItems?: readonly Schema[]
}

/** Returns the text of a value of the shape. A member that is undefined is left out if it may be. */
export function rendererOf<Value>(shape: Schema): (value: Value) => string {
  return new Function('listText', `return (value) => ${textOf(shape, 'value')}`)(listText)
}

/** An expression of the text of `value`. */
function textOf(shape: Shape, value: string): string {
  if (shape.const !== undefined) return literal(JSON.stringify(shape.const))
  if (shape.prefixItems !== undefined) {
    const items = shape.prefixItems.map((item, i) => textOf(item, `${value}[${i}]`))
    return `'[' + ${items.join(" + ',' + ")} + ']'`
  }
  switch (shape.type) {
    case 'string': {
      const isPlain = shape.pattern !== undefined || shape.enum !== undefined
      return isPlain ? `'"' + ${value} + '"'` : `JSON.stringify(${value})`
    }
    case 'array':
      return shape.items === undefined
        ? `JSON.stringify(${value})`
        : `'[' + listText(${value}, (it) => ${textOf(shape.items, 'it')}) + ']'`
    case 'object':
      return objectText(shape, value)
    case 'integer':
    case 'boolean':
      return value
    default:
      throw new RangeError(`no renderer for ${JSON.stringify(shape)}`)
  }
}

/** Its first member is required. */
function objectText({ properties = {}, required = [] }: Shape, value: string): string {
  const members = Object.entries(properties).map(([name, shape], i) => {
    const own = `${value}[${literal(name)}]`
    const start = literal(`${i === 0 ? '' : ','}"${name}":`)
    const text = `${start} + ${textOf(shape, own)}`
    return required.includes(name) ? text : `(${own} === undefined ? '' : ${text})`
  })
  return `'{' + ${members.join(' + ')} + '}'`
}

const literal = (text: string): string => JSON.stringify(text)

function listText<Item>(items: readonly Item[], textOfItem: (item: Item) => string): string {
  let text = ''
  for (const item of items) text += text === '' ? textOfItem(item) : `,${textOfItem(item)}`
  return text
}
