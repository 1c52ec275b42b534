/**
 * `npm run power -- --losses 1000 [--seed N] [--durability flushed]`: power losses modelled over the real
 * files of a journal (test/replay/power-play.ts), in turns over an exchange's own blocks, whose books
 * and money are compared with engines that never stopped, and over blocks of any size. With 'flushed'
 * nothing that was acknowledged may be lost; with 'committed' only the end of what was not flushed.
 * Exit code 1 when more is lost; the seed reproduces it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Prng } from '#base/prng.ts'
import type { Durability } from '#journal/store.ts'
import { type Loss, PowerPlay } from '../test/replay/power-play.ts'
import { AnyBlocks, ExchangeHistory } from '../test/replay/power-sources.ts'
import { Progress } from './audit/progress.ts'

const BATCHES = 600
const HISTORIES = 4
const LIVES_MAX = 8
/** Seeds stay readable, and are others in every run. */
const SEEDS = 2 ** 31

interface Summary {
  readonly moments: Record<Loss['moment'], number>
  acknowledged: number
  unacknowledgedSurvived: number
  lost: number
}

function run(args: string[]): void {
  const { values } = parseArgs({
    args,
    options: {
      losses: { type: 'string', default: '100' },
      seed: { type: 'string', default: String(Date.now() % SEEDS) },
      durability: { type: 'string', default: 'flushed' },
    },
  })
  const [losses, seed] = [Number(values.losses), Number(values.seed)]
  const durability = values.durability as Durability
  if (!(losses > 0) || !Number.isInteger(seed)) throw new RangeError('--losses, --seed are counts')
  if (durability !== 'flushed' && durability !== 'committed') {
    throw new RangeError('--durability is flushed or committed')
  }
  process.stdout.write(`seed ${seed}, ${losses} power losses, ${durability}\n`)
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-power-'))
  try {
    const summary = play(folder, losses, seed, durability)
    process.stdout.write(`${JSON.stringify({ power: { seed, losses, durability, ...summary } })}\n`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function play(folder: string, losses: number, seed: number, durability: Durability): Summary {
  const progress = new Progress('losses', losses)
  const summary: Summary = {
    moments: { append: 0, carry: 0, recovery: 0, emptying: 0 },
    ...{ acknowledged: 0, unacknowledgedSurvived: 0, lost: 0 },
  }
  const histories = Array.from({ length: HISTORIES }, (_, i) => {
    return new ExchangeHistory(path.join(folder, `history-${i}`), seed + i, BATCHES)
  })
  let done = 0
  for (let round = 0; done < losses; round++) {
    const random = new Prng(seed + round)
    const history = round % 2 === 0 ? histories[(round >> 1) % HISTORIES]! : undefined
    const source = history ?? new AnyBlocks(random)
    const recovered = (data: string, blocks: number) => history?.check(data, blocks)
    const options = { folder: path.join(folder, 'play'), durability, random, source, recovered }
    const power = new PowerPlay(options)
    for (let life = 0; life < LIVES_MAX && done < losses; life++) {
      const loss = power.lose()
      if (loss === undefined) break
      done++
      add(summary, loss)
      progress.advance(1)
    }
  }
  progress.end()
  return summary
}

/** Of a life's last block, which power took or not, its writer was told nothing. */
function add(summary: Summary, { moment, floor, survivors }: Loss): void {
  summary.moments[moment]++
  summary.acknowledged += floor
  summary.lost += Math.max(0, floor - survivors)
  summary.unacknowledgedSurvived += Math.max(0, survivors - floor)
}

try {
  run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${(error as Error).stack}\n`)
  process.exitCode = 1
}
