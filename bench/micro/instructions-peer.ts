/**
 * The program whose instructions `instructions` counts: `instructions-peer.js book|engine COMMANDS ROUNDS`.
 * Prints `warm` when V8 has compiled what it runs. Runs the rounds when it reads a line.
 */
import { once } from 'node:events'
import { raiseInliningBudget } from '../../src/workers/optimizer.ts'
import { type BookCommands, generateBookCommands } from '../workloads/book-commands.ts'
import { EngineStage, encodeCommands, richLedger } from '../workloads/engine-stage.ts'
import { stageOf } from './book.ts'
import { type Counted, WARM } from './instructions.ts'

/** The default of the bench `engine`. */
const ACCOUNTS = 50
const WARM_UPS = 12

/** Returns a function that runs all commands, and what empties the book for the next run. */
const stages: Record<Counted, (commands: BookCommands) => () => void> = {
  book: (commands) => {
    const stage = stageOf(commands)
    return () => {
      stage.execute(commands.words, 0, commands.options.count)
      stage.clear()
    }
  },
  engine: (commands) => {
    const stage = new EngineStage(commands, encodeCommands(commands), richLedger(commands, 1))
    return () => {
      stage.run()
      stage.clear()
    }
  },
}

const [what, count, rounds] = process.argv.slice(2)
raiseInliningBudget()
const commands = generateBookCommands({ count: Number(count), accounts: ACCOUNTS })
const run = stages[what as Counted](commands)
for (let round = 0; round < WARM_UPS; round++) run()
process.stdout.write(`${WARM}\n`)
await once(process.stdin, 'data')
for (let round = 0; round < Number(rounds); round++) run()
process.stdin.destroy()
