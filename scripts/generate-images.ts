/** Writers and readers of the parts of images, from layout/schema/images.ts. */
import { carrierOf, type Field, type Section } from '../src/layout/schema/field.ts'
import { imageParts } from '../src/layout/schema/images.ts'
import { streamOf, unitOf } from './field-accessors.ts'

const isId = ([, type]: Field): boolean => carrierOf(type) === 'id'

const declared = (field: Field): string =>
  `  readonly ${field[0]}: ${isId(field) ? 'Int32Array' : unitOf(field[1])}`

function written(field: Field): string {
  const value = `part.${field[0]}`
  return isId(field)
    ? `    image.words(${value}, 0, CLIENT_ORDER_ID_WORDS)`
    : `    image.${streamOf(field[1])}(${value})`
}

function read(field: Field): string {
  const unit = unitOf(field[1])
  const value = isId(field) ? 'readId(image)' : `image.${streamOf(field[1])}()`
  return `    ${field[0]}: ${value}${unit === 'number' || unit === 'string' ? '' : ` as ${unit}`},`
}

const partOf = ({ name, meaning, fields }: Section): string => `
/** ${meaning} */
export interface ${name}Fields {
${fields.map((field) => `${commentOf(field)}${declared(field)}`).join('\n')}
}
export const ${name} = {
  write: (image: ImageWriter, part: ${name}Fields): void => {
${fields.map(written).join('\n')}
  },
  read: (image: ImageReader): ${name}Fields => ({
${fields.map(read).join('\n')}
  }),
} as const
`

const commentOf = ([, , meaning]: Field): string => (meaning === '' ? '' : `  /** ${meaning} */\n`)

export function imagesModule(): string {
  return `function readId(image: ImageReader): Int32Array {
  const words = new Int32Array(CLIENT_ORDER_ID_WORDS)
  image.words(words, 0, CLIENT_ORDER_ID_WORDS)
  return words
}
${imageParts.map(partOf).join('')}`
}
