/**
 * What the form of one action holds, and what it does: fills in present values, asks before what cannot be
 * undone, carries the action out, follows one that takes long, and acts on rows of the result.
 */
import { signal } from '@preact/signals'
import type {
  ActionAnswer,
  ActionParam,
  ActionPreview,
  RowAction,
  TableRow,
} from '../../control/listed-action.ts'
import type { ActionRow } from './action-row.ts'
import type { Given } from './admin-server.ts'
import type { OperatorSession } from './operator-session.ts'

/** Actions of this role only read: no confirmation. */
const READING = 'watch'
const FOLLOW_MS = 1_000
/** The parameter that confirms an action: a dialog sets it. */
export const YES = 'yes'

/** What to confirm before an action is executed. */
export interface Question {
  readonly action: string
  readonly preview: ActionPreview
  readonly goOn: () => Promise<void>
}

export interface Progress {
  readonly percent: number
  readonly text: string
}

export class ActionWork {
  readonly values = signal<Given>({})
  readonly result = signal<ActionAnswer | undefined>(undefined)
  /** A refusal, in the admin server's words. */
  readonly fault = signal('')
  readonly isBusy = signal(false)
  readonly question = signal<Question | undefined>(undefined)
  readonly progress = signal<Progress | undefined>(undefined)
  /** What the action would do: a sentence, and rows. */
  readonly foreseen = signal<Pick<ActionAnswer, 'said' | 'rows'> | undefined>(undefined)
  /** The last values that were filled in: they give way to others. */
  private filled: Given = {}
  private readonly session: OperatorSession
  private readonly row: ActionRow

  constructor(session: OperatorSession, row: ActionRow) {
    this.session = session
    this.row = row
  }

  get name(): string {
    return this.row.name
  }

  get params(): readonly ActionParam[] {
    return this.row.params
  }

  /** The action beside each row of the result, if the operator may carry it out. */
  get rowAction(): RowAction | undefined {
    const { rowAction } = this.row
    const mayAct = this.session.identity.value?.actions.some(({ name }) => name === rowAction?.name)
    return mayAct === true ? rowAction : undefined
  }

  change(name: string, value: string): void {
    this.foreseen.value = undefined
    this.values.value = { ...this.values.value, [name]: value }
  }

  /** Fills in what the action would change. What was typed stays. */
  async fillPresent(naming: Given): Promise<void> {
    const present = await this.session.present(this.row.name, naming).catch(() => undefined)
    const { value: values } = this.values
    const isStill = Object.entries(naming).every(([name, value]) => values[name] === value)
    if (present === undefined || !isStill) return
    const isFree = (name: string) =>
      (values[name] ?? '') === '' || values[name] === this.filled[name]
    const free = Object.entries(present).filter(([name]) => isFree(name))
    this.filled = present
    this.values.value = { ...values, ...Object.fromEntries(free) }
  }

  start(): Promise<void> {
    const { name, role, params } = this.row
    const given = givenOf(this.values.value)
    // The dialog has been answered by then.
    const yes: Given = params.some(({ name }) => name === YES) ? { [YES]: 'on' } : {}
    this.result.value = undefined
    this.foreseen.value = undefined
    return this.try(() => this.ask(name, role !== READING, given, () => this.carryOut(yes)))
  }

  /** Shows what the action would do, and does nothing. */
  preview(): Promise<void> {
    return this.try(async () => {
      const preview = await this.session.previewOf(this.row.name, givenOf(this.values.value))
      if (preview === undefined) this.foreseen.value = { said: 'Nothing would change.', rows: [] }
      else {
        const { does, note, rows } = preview
        this.foreseen.value = { said: `Would do: ${does}. ${note}`.trim(), rows }
      }
    })
  }

  nextPage(after: string): Promise<void> {
    return this.try(() => this.carryOut({ after }))
  }

  /** Carries out the action beside a row, and reads the rows again. */
  actOn(row: TableRow): Promise<void> {
    const { name, takes } = this.rowAction!
    const given = argumentsOf(takes, row)
    const carryOut = async () => {
      const { said } = await this.session.act(name, given)
      await this.carryOut()
      const { value: rows } = this.result
      if (rows !== undefined) this.result.value = { ...rows, said: `${said} ${rows.said}` }
    }
    return this.try(() => this.ask(name, true, given, carryOut))
  }

  /** The dialog was answered with yes. */
  goOn(): Promise<void> {
    const { value: question } = this.question
    this.question.value = undefined
    return this.try(async () => question?.goOn())
  }

  private async ask(
    action: string,
    asks: boolean,
    given: Given,
    goOn: () => Promise<void>,
  ): Promise<void> {
    const preview = asks ? await this.session.previewOf(action, given) : undefined
    if (preview === undefined) await goOn()
    else this.question.value = { action, preview, goOn }
  }

  private async carryOut(more: Given = {}): Promise<void> {
    const { name, progressIn } = this.row
    const done = this.session.act(name, { ...givenOf(this.values.value), ...more })
    if (progressIn !== undefined) await this.follow(progressIn, done)
    this.result.value = await done
  }

  private async follow(what: string, done: Promise<unknown>): Promise<void> {
    const end = { isReached: false }
    const ended = () => {
      end.isReached = true
    }
    const over = done.then(ended, ended)
    while (!end.isReached) {
      const status = await this.session.act('status', {}).catch(() => undefined)
      const row = status?.rows.find((it) => it.what === what)
      const text = `${row?.value} ${row?.unit}`
      if (row !== undefined) this.progress.value = { percent: Number(row.value), text }
      await Promise.race([over, new Promise((resolve) => setTimeout(resolve, FOLLOW_MS))])
    }
    this.progress.value = undefined
  }

  /** Shows a refusal, in the admin server's words. */
  private async try(task: () => Promise<void>): Promise<void> {
    this.fault.value = ''
    this.isBusy.value = true
    try {
      await task()
    } catch (error) {
      this.fault.value = (error as Error).message
    }
    this.isBusy.value = false
  }
}

const givenOf = (values: Given): Given =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))

/** Returns the arguments of the action beside a row. */
export const argumentsOf = (takes: RowAction['takes'], row: TableRow): Given =>
  Object.fromEntries(Object.entries(takes).map(([name, column]) => [name, String(row[column])]))
