/** The screen of a process: its streams, and Ctrl-C. */
import { paintFor } from './paint.ts'
import type { Screen } from './watch.ts'

/** A first pause makes SIGINT end the watching instead of the process. */
export function processScreen(process: NodeJS.Process): Screen {
  const { stdout, stderr } = process
  const paint = paintFor(stderr)
  let isClosed = false
  // The reader of the pipe has ended.
  stdout.on('error', () => {
    isClosed = true
  })
  let interrupted: Promise<false> | undefined
  return {
    get rows() {
      return stdout.isTTY ? stdout.rows : undefined
    },
    write: (text) => stdout.write(text),
    writeNote: (text) => stderr.write(text),
    writeError: (text) => stderr.write(paint('red', text)),
    async pause(seconds) {
      if (isClosed) return false
      interrupted ??= new Promise((resolve) => process.once('SIGINT', () => resolve(false)))
      let timer: NodeJS.Timeout | undefined
      const passed = new Promise<true>((resolve) => {
        timer = setTimeout(() => resolve(true), 1_000 * seconds)
      })
      const goesOn = await Promise.race([passed, interrupted])
      clearTimeout(timer)
      return goesOn
    },
  }
}
