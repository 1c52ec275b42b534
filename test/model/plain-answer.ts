/** Collects the records that the plain twin predicts as the answer to one command. */

/** Where a command came from. */
export interface Asked {
  readonly gateway: number
  readonly correlation: number
}

export type Fields = Readonly<Record<string, string | number>>

/** A record as the twin predicts it: the schema's fields by name, and whether it is the last one. */
export type PlainRecord = { readonly name: string; readonly last: boolean } & Readonly<
  Record<string, string | number | boolean>
>

export class PlainAnswer {
  readonly #symbolId: number
  readonly #asked: Asked
  readonly #records: { readonly name: string; readonly fields: Fields }[] = []

  constructor(symbolId: number, asked: Asked) {
    this.#symbolId = symbolId
    this.#asked = asked
  }

  add(name: string, fields: Fields): void {
    this.#records.push({ name, fields })
  }

  records(): PlainRecord[] {
    const { gateway, correlation } = this.#asked
    return this.#records.map(({ name, fields }, i) => ({
      name,
      last: i === this.#records.length - 1,
      symbolId: this.#symbolId,
      gateway,
      correlation,
      ...fields,
    }))
  }
}
