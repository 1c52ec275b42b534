/** An act that asks no running exchange. */
import type { ActRow, Arguments } from '../control/act.ts'
import type { Paint } from './paint.ts'
import type { Terminal } from './terminal.ts'

interface Surroundings {
  /** The data folder that the command line names. */
  readonly data: string
  readonly paint: Paint
  readonly terminal: Terminal | undefined
}

export interface LocalAct extends Omit<ActRow, 'role' | 'previews' | 'run'> {
  /** Returns the text to print. Throws ActError, InitError or StorageError. */
  run(args: Arguments, surroundings: Surroundings): string | Promise<string>
}
