/** Actions, operators and results of actions, as the admin server sends them. */

export interface ActionParam {
  readonly name: string
  readonly kind: 'text' | 'integer' | 'amount' | 'rate' | 'flag' | 'list' | 'filters'
  readonly about: string
  readonly required?: true
  readonly choices?: readonly string[]
}

/** An action that takes one row of a result. */
export interface RowAction {
  readonly name: string
  /** Text of the button. */
  readonly label: string
  /** Parameter of that action → the column that holds it. */
  readonly takes: Readonly<Record<string, string>>
}

/** A row of the actions' table. */
export interface ActionRow {
  /** The command. */
  readonly name: string
  /** What it does: "Cancel one open order". */
  readonly title: string
  readonly group: string
  readonly role: string
  readonly example: string
  readonly about: string
  readonly isImmediate: boolean
  readonly params: readonly ActionParam[]
  /** The row of `status` with the action's progress; left out unless it may take long. */
  readonly progressIn?: string
  readonly rowAction?: RowAction
  /** Parameters by which the admin server finds the present values of the others. */
  readonly presentBy?: readonly string[]
  /** Whether the admin server can tell what it would do. */
  readonly hasPreview: boolean
}

export interface Identity {
  readonly name: string
  readonly role: string
  /** Headings by group. */
  readonly groups: Readonly<Record<string, string>>
  /** Actions that the role allows. */
  readonly actions: readonly ActionRow[]
}

export type ResultRow = Readonly<Record<string, string | number | boolean>>

/** What a dangerous action would do. */
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

export interface ActionResult {
  readonly said: string
  readonly rows: readonly ResultRow[]
  /** What `after` must be for the next page. */
  readonly more?: string
}
