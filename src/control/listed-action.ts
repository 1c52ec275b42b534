/**
 * Actions and what they answer, as the admin server sends them to the screen and the command line. Types alone, which a
 * page can import.
 */

/**
 * How a parameter's text is read. `account` a name or id, `amount` a decimal above zero, `rate` a share
 * such as 0.001, `list` texts with commas between, `filters` JSON as exchangeInfo shows it. On the
 * command line `@path` stands for the content of a file.
 */
export type ParamKind = 'text' | 'integer' | 'amount' | 'rate' | 'flag' | 'list' | 'filters'

export interface ActionParam {
  readonly name: string
  readonly kind: ParamKind
  readonly about: string
  readonly required?: true
  /** The values that a `text` may have. */
  readonly choices?: readonly string[]
}

export type Cell = string | number | boolean
export type TableRow = Readonly<Record<string, Cell>>

/** The response to an action. */
export interface ActionAnswer {
  readonly said: string
  readonly rows: readonly TableRow[]
  /** What `after` must be for the next page. */
  readonly more?: string
}

/** What an action would do, shown before it does it. */
export interface Preview {
  /** An order with names and counts, no full stop: "Cancel all 16 open orders on SOLUSDT". */
  readonly does: string
  /** Sentences about what follows from it; '' for none. */
  readonly note: string
  /** Labels of a screen's buttons: the one that does it, and the one that does not. */
  readonly yes: string
  readonly no?: string
  /** What a person types on a screen before the action: it reaches far, or cannot be undone. */
  readonly typed?: string
  /** Programs confirm it too, by the action's parameter `yes`. */
  readonly needsYes?: true
}

/** The response to the question what an action would do. */
export interface ActionPreview extends Preview {
  readonly rows: readonly TableRow[]
}

/** An action that takes one row of a result: the operator's screen has a button for it beside each row. */
export interface RowAction {
  readonly name: string
  /** Text of the button. */
  readonly label: string
  /** Parameter of that action → the column that holds it. */
  readonly takes: Readonly<Record<string, string>>
}

/** An action as the admin server lists it. */
export interface ListedAction {
  /** The command. */
  readonly name: string
  /** What it does, as an order with no full stop: "Cancel one open order". */
  readonly title: string
  readonly group: string
  /** The least role that may carry it out. */
  readonly role: string
  /** A line behind `ringbook`. */
  readonly example: string
  readonly about: string
  /** False: its facts are journaled at once, and in force from the next start on. */
  readonly isImmediate: boolean
  readonly params: readonly ActionParam[]
  /** The row of `status` that says how far the action is; left out unless it may take long. */
  readonly progressIn?: string
  readonly rowAction?: RowAction
  /** Parameters that the present values of the others are found by: a form asks for these when they are filled. */
  readonly presentBy?: readonly string[]
}
