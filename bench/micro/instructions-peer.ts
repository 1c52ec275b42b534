/**
 * The program whose instructions `instructions` counts: `instructions-peer.js book|engine COMMANDS ROUNDS`.
 * Says `warm` when V8 has compiled what it runs and all rounds are prepared. Runs them when it reads a line.
 */
import { once } from 'node:events'
import { Book } from '../../src/core/book/book.ts'
import { raiseInliningBudget } from '../../src/threads/optimizer.ts'
import { type BookCommands, generateBookCommands } from '../workloads/book-commands.ts'
import { BookRun } from '../workloads/book-run.ts'
import { EngineStage, encodeCommands, richLedger } from '../workloads/engine-stage.ts'
import { type Counted, WARM } from './instructions.ts'

/** As the bench `engine` has by default. */
const ACCOUNTS = 50
const WARM_UPS = 12

/** Returns a function that prepares a run, which returns what runs. */
const stages: Record<Counted, (commands: BookCommands) => () => () => void> = {
  book: (commands) => () => {
    const { shape, count } = commands.options
    const run = new BookRun(new Book(new SharedArrayBuffer(Book.bytesFor(shape)), shape))
    return () => run.execute(commands.words, 0, count)
  },
  engine: (commands) => {
    const encoded = encodeCommands(commands)
    return () => {
      const stage = new EngineStage(commands, encoded, richLedger(commands, 1))
      return () => stage.run()
    }
  },
}

const [what, count, rounds] = process.argv.slice(2)
raiseInliningBudget()
const commands = generateBookCommands({ count: Number(count), accounts: ACCOUNTS })
const prepare = stages[what as Counted](commands)
for (let round = 0; round < WARM_UPS; round++) prepare()()
const prepared = Array.from({ length: Number(rounds) }, prepare)
process.stdout.write(`${WARM}\n`)
await once(process.stdin, 'data')
for (const run of prepared) run()
process.stdin.destroy()
