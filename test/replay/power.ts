/**
 * `npm run power -- --losses 1000 [--seed N] [--durability flushed]`: power losses modelled over the real
 * files of a journal (test/replay/power-play.ts), in turns over an exchange's own blocks, whose books
 * and money are compared with engines that never stopped, and over blocks of any size. With 'flushed'
 * nothing that was acknowledged may be lost; with 'committed' only the end of what was not flushed.
 * Exit code 1 when more is lost; the seed reproduces it.
 */
import path from 'node:path'
import { wholeNumber } from '../../scripts/command-line/tool.ts'
import {
  DURABILITY_FLAG,
  durabilityOf,
  runTrial,
  SEED_FLAG,
  type Trial,
} from '../../scripts/command-line/trial.ts'
import { Prng } from '../../src/base/prng.ts'
import type { Durability } from '../../src/journal/store.ts'
import { type Loss, PowerPlay } from './power-play.ts'
import { AnyBlocks, ExchangeHistory } from './power-sources.ts'

const BATCHES = 600
const HISTORIES = 4
const LIVES_MAX = 8

const tool = {
  name: 'power',
  about: 'Models power losses over the real files of a journal.',
  flags: {
    losses: { value: 'N', about: 'How often', default: '100' },
    seed: SEED_FLAG,
    durability: DURABILITY_FLAG,
  },
} as const

interface Summary {
  readonly moments: Record<Loss['moment'], number>
  acknowledged: number
  unacknowledgedSurvived: number
  lost: number
}

function play(trial: Trial, losses: number, durability: Durability): Summary {
  const { seed, folder } = trial
  const lost = trial.progress('losses', losses)
  const summary: Summary = {
    moments: { append: 0, checkpoint: 0, recovery: 0, emptying: 0 },
    acknowledged: 0,
    unacknowledgedSurvived: 0,
    lost: 0,
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
      lost()
    }
  }
  return summary
}

/** The writer of a life's last block got no answer, whether power took the block or not. */
function add(summary: Summary, { moment, floor, survivors }: Loss): void {
  summary.moments[moment]++
  summary.acknowledged += floor
  summary.lost += Math.max(0, floor - survivors)
  summary.unacknowledgedSurvived += Math.max(0, survivors - floor)
}

await runTrial(tool, (values, trial) => {
  const losses = wholeNumber('losses', values.losses)
  const durability = durabilityOf(values.durability)
  trial.begin(`${losses} power losses, ${durability}`)
  // What should not be lost and is ends the run with an error.
  const summary = play(trial, losses, durability)
  return { lines: [], findings: [], figures: { losses, durability, ...summary } }
})
