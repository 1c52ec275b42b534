/** What the admin server has for an operator. */
import type { ListedAction } from '../../control/listed-action.ts'

export interface ActionRow extends ListedAction {
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
