/**
 * Makes JSON lines of the log, as warnings, from text on standard input. For the exchange's standard error,
 * where LMDB and Node.js write what passes by the log:
 *
 *   node dist/src/main.js start 2> >(node scripts/deploy/log-lines.mjs)
 *
 * It ends when its input does, so that the last words of a process that crashed are in the log too.
 */
import { createInterface } from 'node:readline'

const WARNING = 40
/** Signals that stop the exchange reach its whole group: it still has something to log. */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})

createInterface({ input: process.stdin }).on('line', (msg) => {
  if (msg.trim() === '') return
  process.stdout.write(`${JSON.stringify({ level: WARNING, time: Date.now(), msg })}\n`)
})
