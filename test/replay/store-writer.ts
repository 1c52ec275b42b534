/**
 * A process that appends to a journal until it is killed, or as often as it is given: the folder, the
 * durability and the number of blocks are its arguments. Each position is written to standard output
 * once its append has returned; after the last, it kills itself.
 */
import { writeSync } from 'node:fs'
import { EventStream } from '../../bench/workloads/event-stream.ts'
import { Ms, SymbolId } from '../../src/base/units.ts'
import { BlockWriter } from '../../src/journal/block.ts'
import { openJournal } from '../../src/journal/journal.ts'
import type { Durability } from '../../src/journal/store.ts'

const [folder = '', durability = '', count = 'Infinity'] = process.argv.slice(2)
const journal = openJournal(folder, 0, durability as Durability)
const blocks = new BlockWriter({ matcher: 0, epoch: 1, previous: journal.lastChecksum })
const stream = new EventStream(1)
writeSync(1, 'open\n')
while (journal.lastPosition < Number(count)) {
  stream.reset()
  for (let i = 0; i < 5; i++) stream.step(SymbolId(0))
  journal.append(blocks.seal(stream.events, stream.end, journal.lastPosition + 1, Ms(0)))
  writeSync(1, `${journal.lastPosition}\n`)
}
process.kill(process.pid, 'SIGKILL')
