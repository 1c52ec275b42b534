/** The person at the terminal of a command line, who is asked before an act that cannot be undone. */
import { createInterface } from 'node:readline/promises'

/** A person at a terminal. */
export interface Terminal {
  /** Resolves to whether the person typed yes. */
  confirm(question: string): Promise<boolean>
}

/** Returns undefined where a script runs the command: it is asked nothing. */
export function terminalOf({ stdin, stderr }: NodeJS.Process): Terminal | undefined {
  if (stdin.isTTY !== true || stderr.isTTY !== true) return undefined
  return {
    confirm: async (question) => {
      const reader = createInterface({ input: stdin, output: stderr })
      const given = await reader.question(question)
      reader.close()
      return /^(y|yes)$/i.test(given.trim())
    },
  }
}
