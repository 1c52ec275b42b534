/**
 * The entries of one TOML table. An entry that is wrong, or that no one has read at the end, is refused. valibot was
 * refused because its optional peer puts TypeScript into the package; that still holds (1.5), and rows of
 * base/cold-input.ts need no library.
 */
import { isTable, oneOf, readInput, type Table } from '../base/cold-input.ts'

/** Makes the error of a table: why it is refused, without a full stop. */
export type Refusal = (where: string, why: string) => Error

export class TableReader {
  private readonly where: string
  private readonly refusal: Refusal
  private readonly left: Map<string, unknown>
  /** Names of the entries that were asked for. */
  private readonly known: string[] = []

  constructor(where: string, table: Table, refusal: Refusal) {
    this.where = where
    this.refusal = refusal
    this.left = new Map(Object.entries(table))
  }

  /** Names of the entries that are not read yet. */
  get names(): readonly string[] {
    return [...this.left.keys()]
  }

  has(name: string): boolean {
    return this.left.has(name)
  }

  text(name: string, usual?: string): string {
    const value = this.take(name) ?? usual
    if (typeof value === 'string' && value !== '') return value
    return this.refuse(`${name} must be a text`)
  }

  flag(name: string, usual: boolean): boolean {
    const value = this.take(name) ?? usual
    return typeof value === 'boolean' ? value : this.refuse(`${name} must be true or false`)
  }

  /** Above zero, at most `max`; undefined where it is missing. */
  maybeNumber(name: string, max: number): number | undefined {
    const value = this.take(name)
    if (value === undefined) return undefined
    if (typeof value === 'number' && value > 0 && value <= max) return value
    return this.refuse(`${name} must be a number above 0, at most ${max}`)
  }

  number(name: string, max: number, usual?: number): number {
    const value = this.maybeNumber(name, max) ?? usual
    return value ?? this.refuse(`${name} must be a number above 0, at most ${max}`)
  }

  integer(name: string, max: number, usual: number): number {
    const value = this.number(name, max, usual)
    return Number.isInteger(value) ? value : this.refuse(`${name} must be a whole number`)
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[], usual?: Choice): Choice {
    const value = this.take(name) ?? usual
    return readInput({ kind: 'choice', choices }, value, (must) => {
      return this.refuse(`${name} must be ${must}`)
    })
  }

  /** Items that `isRight` accepts, which `what` names. */
  list<Item>(
    name: string,
    isRight: (item: unknown) => item is Item,
    what: string,
    usual: readonly Item[] = [],
  ): readonly Item[] {
    const value = this.take(name) ?? usual
    if (Array.isArray(value) && value.every(isRight)) return value
    return this.refuse(`${name} must be ${what}`)
  }

  /** An empty one when it is missing. */
  table(name: string): TableReader {
    const value = this.take(name) ?? {}
    if (!isTable(value)) return this.refuse(`${name} must be a table`)
    return new TableReader(`${name} of ${this.where}`, value, this.refusal)
  }

  /** Throws when an entry was not read. */
  end(): void {
    const [name] = this.left.keys()
    if (name !== undefined) this.refuse(`${name} is not known there, only ${oneOf(this.known)}`)
  }

  refuse(why: string): never {
    throw this.refusal(this.where, why)
  }

  private take(name: string): unknown {
    const value = this.left.get(name)
    this.left.delete(name)
    this.known.push(name)
    return value
  }
}
