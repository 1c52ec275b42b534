/** An action that asks no running exchange. */
import type { ActionRow, Arguments } from '../control/action.ts'
import type { Paint } from './paint.ts'
import type { Terminal } from './terminal.ts'

interface Surroundings {
  /** The data folder that the command line names. */
  readonly data: string
  readonly paint: Paint
  readonly terminal: Terminal | undefined
}

export interface LocalAction extends Omit<ActionRow, 'title' | 'role' | 'previews' | 'run'> {
  /** Returns the text to print. Throws ActionError, InitError or StorageError. */
  run(args: Arguments, surroundings: Surroundings): string | Promise<string>
}
