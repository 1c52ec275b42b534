/** The person at the terminal of a command line, who is asked before an action that cannot be undone. */
import { createInterface } from 'node:readline/promises'

/** A person at a terminal. */
export interface Terminal {
  /** Resolves to whether the person typed yes. */
  confirm(question: string): Promise<boolean>
  /** Resolves to the line that the person typed. */
  ask(question: string): Promise<string>
  /** Shows how far long work is, in place of what it showed before. */
  showProgress(text: string): void
}

/** Clears the line behind the cursor. */
const CLEAR_LINE = '\x1b[K'

/** Returns undefined where a script runs the command: it is asked nothing. */
export function terminalOf({ stdin, stderr }: NodeJS.Process): Terminal | undefined {
  if (stdin.isTTY !== true || stderr.isTTY !== true) return undefined
  const ask = async (question: string) => {
    const reader = createInterface({ input: stdin, output: stderr })
    const given = await reader.question(question)
    reader.close()
    return given.trim()
  }
  return {
    ask,
    confirm: async (question) => /^(y|yes)$/i.test(await ask(question)),
    showProgress: (text) => stderr.write(`\r${text}${CLEAR_LINE}`),
  }
}
