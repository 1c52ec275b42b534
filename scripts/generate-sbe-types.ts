/** The types of what ringbook/sbe decodes, from the templates. */
import type { Field, Member, Members } from '../src/api/sbe/fields.ts'
import { streamTemplates } from '../src/api/sbe/stream-templates.ts'
import { templates } from '../src/api/sbe/templates.ts'

export function sbeTypesModule(): string {
  const messages = [...templates, ...Object.values(streamTemplates)].flatMap(
    ({ name, members }) => [`  readonly ${name}: {`, ...typesOf(members, '    '), '  }'],
  )
  return [
    '// Generated from api/sbe/templates.ts by the build. Do not edit.',
    '',
    '/** Messages by the names of their templates; decimals are texts, times microseconds, null what is absent. */',
    'export interface SbeMessages {',
    ...messages,
    '}',
    '',
    '/** One of the names; a number where the schema that it was written in has more. */',
    "type Code<Name> = Name | 'NON_REPRESENTABLE' | number",
    '',
    'interface Header {',
    '  /** The id of the template. */',
    '  readonly id: number',
    '  readonly schema: number',
    '  readonly version: number',
    '}',
    '/** A message by its template; undefined both where the template is not known. */',
    'export type SbeMessage =',
    '  | {',
    '      [Name in keyof SbeMessages]: Header & {',
    '        readonly template: Name',
    '        readonly message: SbeMessages[Name]',
    '      }',
    '    }[keyof SbeMessages]',
    '  | (Header & { readonly template: undefined; readonly message: undefined })',
    '',
  ].join('\n')
}

const typesOf = (members: Members, indent: string): readonly string[] =>
  Object.entries(members)
    .filter(([, one]) => one.is !== 'field' || one.shows !== 'exponent')
    .flatMap(([name, one]) => typeOf(name, one, indent))

function typeOf(name: string, one: Member, indent: string): readonly string[] {
  const begin = `${indent}readonly ${name}: `
  if (one.is === 'group') {
    return [`${begin}readonly {`, ...typesOf(one.members, `${indent}  `), `${indent}}[]`]
  }
  const type = one.is === 'field' ? fieldType(one) : one.is === 'text' ? 'string' : 'SbeMessage'
  return [`${begin}${type}${one.isOptional === true ? ' | null' : ''}`]
}

function fieldType({ shows, primitive, codes = {} }: Field): string {
  const names = Object.keys(codes)
    .map((name) => `'${name}'`)
    .join(' | ')
  switch (shows) {
    case 'decimal':
      return 'string'
    case 'flag':
    case 'deprecated':
      return 'boolean'
    case 'code':
      return `Code<${names}>`
    case 'set':
      return `readonly Code<${names}>[]`
    default:
      return primitive.endsWith('64') ? 'bigint' : 'number'
  }
}
