/** The text of a function that writes rows of an answer's table: encoders put it together and compile it once. */
import type { Condition, Element, Kind, Source } from './element.ts'

export abstract class FunctionText {
  protected readonly lines: string[] = []
  protected depth = 0
  private readonly names: string[] = []
  private readonly values: unknown[] = []

  /** Returns the function; `helpers` is what its text names. */
  protected made(helpers: Readonly<Record<string, unknown>>): unknown {
    const names = [...Object.keys(helpers), ...this.names]
    const body = `return (to, row, form) => {\nconst { spec } = form\n${this.lines.join('\n')}\n}`
    return new Function(...names, body)(...Object.values(helpers), ...this.values)
  }

  protected read(source: Source, row: string): string {
    if ('derive' in source) {
      const value = this.named(undefined)
      this.lines.push(`const ${value}d = ${this.named(source.derive)}(${row}, form)`)
      return `${value}d`
    }
    const { property, within, otherwise } = source
    if (within === undefined) return `${row}.${property}`
    if (otherwise === undefined) return `${row}.${within}.${property}`
    return `(${row}.${within} === undefined ? ${this.named(otherwise)} : ${row}.${within}.${property})`
  }

  /** Begins a block. */
  protected open(head: string): void {
    this.lines.push(head.startsWith('const') ? `{ ${head}` : `${head} {`)
  }

  protected close(): void {
    this.lines.push('}')
  }

  /** Returns a name for a value in the text. */
  protected named(value: unknown): string {
    const name = `v${this.names.length}`
    this.names.push(name)
    this.values.push(value)
    return name
  }
}

export type NameKind = Kind & { readonly is: 'name' }

export const isSymbol = ({ is }: Kind): boolean => is === 'symbol' || is === 'symbolId'

/** The text of the row's symbol; undefined for other elements. */
export function ownSymbol({ kind, source }: Element<never>, row: string): string | undefined {
  if (!isSymbol(kind) || 'derive' in source) return undefined
  const value = `${row}.${source.property}`
  return kind.is === 'symbol' ? value : `form.symbols[${value}]`
}

/** The text of a name's place among the names. */
export function indexOf({ names, isMasked, shift }: NameKind, value: string): string {
  if (!isMasked) return value
  return `${shift === 0 ? value : `(${value} >> ${shift})`} & ${names.length - 1}`
}

/** The text of a condition of an element. */
export function test({ property, within, test }: Condition, row: string): string {
  const value = within === undefined ? `${row}.${property}` : `${row}.${within}.${property}`
  if (test === 'defined') return `${value} !== undefined`
  return 'above' in test ? `${value} > ${test.above}` : `${value} === ${test.equal}`
}
