/** Prints an action once, or again and again with `--watch`: each time over the last in a terminal. */
import { type ActionCall, callAction, type Printed } from './cli.ts'
import type { Terminal } from './terminal.ts'

/** Where an action is printed. */
export interface Screen {
  /** Rows and columns of a terminal; undefined where the text goes to a file or a pipe. */
  readonly rows: number | undefined
  write(text: string): void
  writeNote(text: string): void
  writeError(text: string): void
  /** Resolves to false when the operator has had enough. */
  pause(seconds: number): Promise<boolean>
}

/** Clears a terminal, and puts the cursor at its beginning. */
const CLEAR = '\x1b[2J\x1b[H'
const HOME = '\x1b[H'
/** Clears from the cursor to the end of the line, or of the screen. */
const CLEAR_LINE = '\x1b[K'
const CLEAR_REST = '\x1b[J'
/** Long lines are cut off, so that every line is one row. */
const NO_WRAP = '\x1b[?7l'
const WRAP = '\x1b[?7h'

/**
 * Returns the exit code. With `--watch` a first refusal ends it; a later one is shown, since an exchange
 * that starts again answers again.
 */
export async function showAction(call: ActionCall, terminal: Terminal | undefined, screen: Screen) {
  const first = await callAction(call, terminal)
  const { watchSeconds } = first
  if (watchSeconds === undefined) {
    print(first, screen)
    return first.code
  }
  if (screen.rows === undefined) print(first, screen)
  else screen.write(CLEAR + frame(first.text, screen.rows))
  while (await screen.pause(watchSeconds)) {
    const next = await callAction({ ...call, isRepeated: true })
    if (screen.rows === undefined) print(next, screen)
    else screen.write(HOME + frame(next.text, screen.rows))
  }
  return 0
}

function print({ text, note, code }: Printed, screen: Screen): void {
  if (code === 0) screen.write(text)
  else screen.writeError(text)
  if (note !== undefined) screen.writeNote(note)
}

function frame(text: string, rows: number): string {
  const lines = text
    .split('\n')
    .slice(0, rows - 1)
    .map((line) => `${line}${CLEAR_LINE}\n`)
  return `${NO_WRAP}${lines.join('')}${CLEAR_REST}${WRAP}`
}
