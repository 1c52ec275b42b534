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
import { Progress } from '../../scripts/command-line/progress.ts'
import { oneOf, readFlags, runTool, wholeNumber } from '../../scripts/command-line/tool.ts'
import { Prng } from '../../src/base/prng.ts'
import type { Durability } from '../../src/journal/store.ts'
import { type Loss, PowerPlay } from './power-play.ts'
import { AnyBlocks, ExchangeHistory } from './power-sources.ts'

const BATCHES = 600
const HISTORIES = 4
const LIVES_MAX = 8
/** Seeds stay readable, and are others in every run. */
const SEEDS = 2 ** 31

const tool = {
  name: 'power',
  about: 'Models power losses over the real files of a journal.',
  flags: {
    losses: { value: 'N', about: 'How often', default: '100' },
    seed: { value: 'N', about: 'Of what happens; else one that is printed' },
    durability: { value: 'HOW', about: 'One of flushed, committed', default: 'flushed' },
  },
} as const

interface Summary {
  readonly moments: Record<Loss['moment'], number>
  acknowledged: number
  unacknowledgedSurvived: number
  lost: number
}

function run(args: string[]): boolean {
  const values = readFlags(tool, args)
  if (values === undefined) return true
  const losses = wholeNumber('losses', values.losses)
  const seed = wholeNumber('seed', values.seed ?? String((Date.now() % SEEDS) + 1))
  const durability = oneOf('durability', values.durability, ['flushed', 'committed'])
  process.stdout.write(`seed ${seed}, ${losses} power losses, ${durability}\n`)
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-power-'))
  try {
    const summary = play(folder, losses, seed, durability)
    process.stdout.write(`${JSON.stringify({ power: { seed, losses, durability, ...summary } })}\n`)
    return true
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function play(folder: string, losses: number, seed: number, durability: Durability): Summary {
  const progress = new Progress('losses', losses)
  const summary: Summary = {
    moments: { append: 0, checkpoint: 0, recovery: 0, emptying: 0 },
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

await runTool(run)
