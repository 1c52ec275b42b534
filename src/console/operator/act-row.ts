/** Acts, operators and results of acts, as the door sends them. */

export interface ActParam {
  readonly name: string
  readonly kind: 'text' | 'integer' | 'amount' | 'rate' | 'flag' | 'list' | 'filters'
  readonly about: string
  readonly required?: true
  readonly choices?: readonly string[]
}

/** An act that takes one row of a result. */
export interface RowAct {
  readonly name: string
  /** Of the button. */
  readonly label: string
  /** Parameter of that act → the column that holds it. */
  readonly takes: Readonly<Record<string, string>>
}

/** A row of the acts' table. */
export interface ActRow {
  readonly name: string
  readonly group: string
  readonly role: string
  readonly example: string
  readonly about: string
  readonly isImmediate: boolean
  readonly params: readonly ActParam[]
  /** Of an act that may take long: the row of `status` that says how far it is. */
  readonly progressIn?: string
  readonly rowAct?: RowAct
  /** Parameters by which the door tells the present values of the others. */
  readonly presentBy?: readonly string[]
}

export interface Identity {
  readonly name: string
  readonly role: string
  /** Those that the role allows. */
  readonly acts: readonly ActRow[]
}

export type ResultRow = Readonly<Record<string, string | number | boolean>>

/** What a dangerous act would do. */
export interface Preview {
  /** "Cancel all 16 open orders on SOLUSDT". */
  readonly does: string
  /** Sentences about what follows from it; '' for none. */
  readonly note: string
  /** Labels of the buttons that do it, and do not. */
  readonly yes: string
  readonly no?: string
  /** What is typed before it is done. */
  readonly typed?: string
  readonly rows: readonly ResultRow[]
}

export interface ActResult {
  readonly said: string
  readonly rows: readonly ResultRow[]
  /** What `after` must be for the next page. */
  readonly more?: string
}
