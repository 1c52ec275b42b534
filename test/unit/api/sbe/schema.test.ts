/**
 * The templates against Binance's schema, where a copy of its documents lies beside the project:
 * `git clone https://github.com/binance/binance-spot-api-docs ../binance-spot-api-docs`, or SBE_SCHEMAS names its
 * folder of schemas. They may not be copied into this one.
 */
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { codesSince } from '../../../../src/api/sbe/codes.ts'
import { type Member, type Members, NON_REPRESENTABLE } from '../../../../src/api/sbe/fields.ts'
import {
  STREAM_SCHEMA_ID,
  STREAM_SCHEMA_VERSION,
  streamTemplates,
} from '../../../../src/api/sbe/stream-templates.ts'
import { SCHEMA_ID, SCHEMA_VERSION, templates } from '../../../../src/api/sbe/templates.ts'

const folder = process.env.SBE_SCHEMAS ?? '../binance-spot-api-docs/sbe/schemas'
const schemas = [
  { file: 'spot_3_5.xml', id: SCHEMA_ID, version: SCHEMA_VERSION, own: templates },
  {
    file: 'stream_1_0.xml',
    id: STREAM_SCHEMA_ID,
    version: STREAM_SCHEMA_VERSION,
    own: Object.values(streamTemplates),
  },
]

interface Tag {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly inner: readonly Tag[]
  readonly text: string
}

/** Elements of XML that is as plain as the schemas are. */
function parse(xml: string): Tag {
  const root = { tag: '', attributes: {}, inner: [] as Tag[], text: '' }
  const open = [root]
  const plain = xml.replace(/<!--.*?-->/gs, '').replace(/<\?.*?\?>/g, '')
  for (const [, end, tag, rest, alone, text] of plain.matchAll(
    /<(\/?)([\w:]+)([^>]*?)(\/?)>([^<]*)/g,
  )) {
    if (end === '/') open.pop()
    else {
      const attributes = Object.fromEntries(
        [...rest!.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!]),
      )
      const made = { tag: tag!, attributes, inner: [] as Tag[], text: text! }
      open.at(-1)!.inner.push(made)
      if (alone === '') open.push(made)
    }
  }
  return root
}

/** A group that is the whole answer, which the schema does not say. */
const whole = 'subscriptions'
/** Groups whose entries are arrays in JSON: members have no names there. */
const positional = ['bids', 'asks', 'klines']

const isThere = fs.existsSync(folder)

test.runIf(isThere).each(schemas)('every template is the schema’s: $file', (one) => {
  const schema = parse(fs.readFileSync(path.join(folder, one.file), 'utf8')).inner[0]!
  const types = new Map(
    schema.inner[0]!.inner.map((type) => [type.attributes.name!, type] as const),
  )
  const messages = new Map(
    schema.inner.map((message) => [Number(message.attributes.id), message] as const),
  )
  const { id, version } = one
  expect(schema.attributes).toMatchObject({
    id: `${id}`,
    version: `${version}`,
    byteOrder: 'littleEndian',
  })

  const codesOf = ({ inner, attributes }: Tag) => {
    const isBoolean = attributes.name === 'boolEnum'
    const all = inner.map(({ attributes: { name, 'mbx:jsonValue': json }, text }) => [
      json ?? name,
      Number(text),
    ])
    return isBoolean
      ? undefined
      : Object.fromEntries(all.filter(([name]) => name !== 'NON_REPRESENTABLE'))
  }
  // That of the streams names nothing of JSON.
  const hasPaths = id === SCHEMA_ID
  const shown = (tag: Tag): unknown => {
    const { name, type, presence } = tag.attributes
    const path = tag.attributes['mbx:jsonPath']
    const named = path === '[]' || !hasPaths ? undefined : (path ?? name)
    if (tag.tag === 'group') {
      const countBytes = tag.attributes.dimensionType === 'groupSize16Encoding' ? 2 : 4
      return { name, path: named, countBytes, members: members(tag) }
    }
    if (tag.tag === 'data') {
      const lengthBytes = type!.endsWith('8')
        ? 1
        : type!.endsWith('16') || type!.endsWith('String')
          ? 2
          : 4
      const is = /string/i.test(type!) ? 'text' : 'message'
      const absent = tag.attributes['mbx:jsonDefaultValue'] || undefined
      const isOptional = type!.startsWith('optional')
      return { name, path: named, is, lengthBytes, isOptional, absent }
    }
    const of = types.get(type!)
    const { primitiveType, encodingType, length } = of?.attributes ?? {}
    const absent = tag.attributes['mbx:jsonDefaultValue']
    return {
      name,
      path: named,
      isOptional: presence === 'optional',
      primitive: length === '16' ? 'mantissa128' : (primitiveType ?? encodingType ?? type),
      exponent: tag.attributes['mbx:exponent'],
      codes: encodingType === undefined ? undefined : codesOf(of!),
      absent: presence !== 'optional' || absent === undefined ? undefined : Number(absent),
    }
  }
  const members = (tag: Tag) =>
    tag.inner.filter(({ attributes }) => attributes.presence !== 'constant').map(shown)

  const ours = (name: string, one: Member, isPositional: boolean): unknown => {
    const own = name === whole ? name : (one.path ?? name)
    const path = isPositional || !hasPaths ? undefined : own.replace('amendedOrder.', '')
    if (one.is === 'group') {
      return {
        name,
        path,
        countBytes: one.countBytes,
        members: all(one.members, positional.includes(name)),
      }
    }
    const isOptional = one.isOptional === true
    const { absent } = one
    if (one.is !== 'field')
      return { name, path, is: one.is, lengthBytes: one.lengthBytes, isOptional, absent }
    const { primitive, exponent, codes } = one
    return { name, path, isOptional, primitive, exponent, codes, absent }
  }
  const all = (of: Members, isPositional = false) =>
    Object.entries(of).map(([name, one]) => ours(name, one, isPositional))

  for (const { id, name, members: own } of one.own) {
    const message = messages.get(id)!
    expect(message.attributes.name, `${id}`).toBe(name)
    expect(all(own), name).toEqual(members(message))
  }
  const statuses = types
    .get('symbolStatus')
    ?.inner.map(({ attributes }) => attributes['mbx:jsonValue'])
  if (statuses !== undefined) expect(statuses).toContain(codesSince[5]![0])
  expect(NON_REPRESENTABLE).toBe(254)
})
