/**
 * The program whose instructions `instructions` counts: `instructions-peer.js book|engine|json|sbe COMMANDS ROUNDS`.
 * Prints `warm` when V8 has compiled what it runs. Runs the rounds when it reads a line.
 */
import { once } from 'node:events'
import { type Reply, Rows } from '../../src/api/answers/answer.ts'
import { bytesOf } from '../../src/api/answers/json.ts'
import { depth } from '../../src/api/answers/market.ts'
import { sbeOf } from '../../src/api/sbe/sbe.ts'
import { Prng } from '../../src/base/prng.ts'
import { Lots, Ticks } from '../../src/base/units.ts'
import { raiseInliningBudget } from '../../src/workers/optimizer.ts'
import { type BookCommands, generateBookCommands } from '../workloads/book-commands.ts'
import { EngineStage, encodeCommands, richLedger } from '../workloads/engine-stage.ts'
import { btcusdt } from '../workloads/fake-context.ts'
import { stageOf } from './book.ts'
import { BOOK_LEVELS, BOOKS, type Counted, WARM } from './instructions.ts'

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
  json: () => encoding(bytesOf),
  sbe: () => encoding((answer) => sbeOf(5, answer)),
}

/** Returns a function that encodes BOOKS books, each for the first time. */
function encoding(encode: (answer: Reply) => Uint8Array): () => void {
  const prng = new Prng(1)
  const side = (ticks: number) =>
    Array.from({ length: BOOK_LEVELS / 2 }, (_, i): readonly [Ticks, Lots] => [
      Ticks(ticks + i),
      Lots(prng.between(1, 500_000)),
    ])
  const [bids, asks] = [side(6_000_000), side(6_001_000)]
  const form = { spec: btcusdt, microseconds: false }
  let updateId = 0
  return () => {
    for (let i = 0; i < BOOKS; i++)
      encode(new Rows(depth, { updateId: ++updateId, bids, asks }, form))
  }
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
