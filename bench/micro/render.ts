/**
 * `npm run bench -- render [--rounds N] [--passes N]`: what it takes to write answers and frames in SBE, over the same
 * in JSON, in turns: processor time, and bytes. Rows differ from pass to pass, so that nothing is kept.
 */
import { type AnyRows, Rows } from '../../src/api/answers/answer.ts'
import { bytesOf } from '../../src/api/answers/json.ts'
import { depth } from '../../src/api/answers/market.ts'
import {
  bestBidAskFrame,
  bestPricesFrame,
  depthFrame,
  topLevelsFrame,
  tradeFrame,
  tradesFrame,
} from '../../src/api/answers/market-streams.ts'
import { sbeOf, streamMessageOf } from '../../src/api/sbe/sbe.ts'
import { Lots, Ms, Ticks, TradeId } from '../../src/base/units.ts'
import type { Flags, SettingsOf } from '../harness/flags.ts'
import { type BenchResult, median, printTable } from '../harness/report.ts'
import { NOW_MS, btcusdt as spec } from '../workloads/fake-context.ts'

export const flags = { rounds: 9, passes: 200 } as const satisfies Flags

/** The same in both encodings: frames of a pass, by its number. */
interface Work {
  readonly name: string
  readonly json: (pass: number) => readonly AnyRows[]
  readonly sbe: (pass: number) => readonly AnyRows[]
  readonly isAnswer?: true
}

const form = { spec, microseconds: false }
const FIRST_TICKS = 6_512_345
const levels = (count: number, pass: number) =>
  Array.from(
    { length: count },
    (_, i) =>
      [Ticks(FIRST_TICKS + i), Lots(1 + ((pass * 7_919 + i * 104_729) % 9_999_991))] as const,
  )
const eventMs = Ms(NOW_MS)
const best = (pass: number) => ({
  spec,
  eventMs,
  updateId: 61_234_567_890 + pass,
  bestBidTicks: Ticks(FIRST_TICKS),
  bestBidLots: Lots(1 + pass),
  bestAskTicks: Ticks(FIRST_TICKS + 1),
  bestAskLots: Lots(2 + pass),
})
const tradesOf = (pass: number) =>
  Array.from({ length: 3 }, (_, i) => ({
    ...{ spec, eventMs, timeMs: eventMs, tradeId: TradeId(9_000_000 + 3 * pass + i) },
    ...{ priceTicks: Ticks(FIRST_TICKS + i), lots: Lots(500 + pass), isBuyerMaker: i % 2 === 0 },
  }))
const diff = (count: number) => (pass: number) => {
  const ids = { firstUpdateId: 61_234_567_890 + pass, finalUpdateId: 61_234_567_899 + pass }
  const row = { spec, eventMs, ...ids, bids: levels(count, pass), asks: levels(count, pass + 1) }
  return [new Rows(depthFrame, row, form)]
}
const book = (count: number) => (pass: number) => {
  const sides = { bids: levels(count, pass), asks: levels(count, pass + 1) }
  return [new Rows(depth, { updateId: pass, ...sides }, form)]
}

const works: readonly Work[] = [
  { name: 'depth1000', json: book(1_000), sbe: book(1_000), isAnswer: true },
  { name: 'diff2x5', json: diff(5), sbe: diff(5) },
  { name: 'diff2x50', json: diff(50), sbe: diff(50) },
  {
    name: 'depth20',
    json: book(20),
    sbe: (pass) => {
      const sides = { bids: levels(20, pass), asks: levels(20, pass + 1) }
      return [new Rows(topLevelsFrame, { spec, eventMs, updateId: pass, ...sides }, form)]
    },
  },
  {
    name: 'best',
    json: (pass) => [new Rows(bestPricesFrame, best(pass), form)],
    sbe: (pass) => [new Rows(bestBidAskFrame, best(pass), form)],
  },
  {
    name: 'trades3',
    json: (pass) => tradesOf(pass).map((row) => new Rows(tradeFrame, row, form)),
    sbe: (pass) => [
      new Rows(tradesFrame, { spec, eventMs, timeMs: eventMs, trades: tradesOf(pass) }, form),
    ],
  },
]

/** Microseconds and bytes of a pass. Throws when something has no bytes. */
function measure(
  frames: readonly (readonly AnyRows[])[],
  encode: (rows: AnyRows) => Uint8Array,
): [us: number, bytes: number] {
  let bytes = 0
  const begun = process.hrtime.bigint()
  for (const each of frames) for (const rows of each) bytes += encode(rows).length
  const us = Number(process.hrtime.bigint() - begun) / 1_000
  if (bytes === 0) throw new Error('nothing was written')
  return [us / frames.length, bytes / frames.length]
}

export async function run({ rounds, passes }: SettingsOf<typeof flags>): Promise<BenchResult> {
  const ratios: Record<string, number> = {}
  const figures: Record<string, number> = {}
  const table: (string | number)[][] = [['', 'JSON µs', 'SBE µs', 'ratio', 'bytes over JSON']]
  for (const { name, json, sbe, isAnswer } of works) {
    const toSbe = (rows: AnyRows) => (isAnswer ? sbeOf(5, rows) : streamMessageOf(rows))
    const times: { readonly json: number; readonly sbe: number }[] = []
    let bytesRatio = 0
    for (let round = -1; round < rounds; round++) {
      // New rows each time: rows that were written already are not written again.
      const made = (of: Work['json']) =>
        Array.from({ length: passes }, (_, pass) => of(passes * (round + 1) + pass))
      const [jsonUs, jsonBytes] = measure(made(json), bytesOf)
      const [sbeUs, sbeBytes] = measure(made(sbe), toSbe)
      bytesRatio = sbeBytes / jsonBytes
      // The first round compiles.
      if (round >= 0) times.push({ json: jsonUs, sbe: sbeUs })
    }
    const [jsonUs, sbeUs] = [median(times.map((it) => it.json)), median(times.map((it) => it.sbe))]
    ratios[`${name}OverJson`] = median(times.map((it) => it.sbe / it.json))
    figures[`${name}BytesOverJson`] = bytesRatio
    figures[`${name}JsonUs`] = jsonUs
    figures[`${name}SbeUs`] = sbeUs
    table.push([name, jsonUs, sbeUs, sbeUs / jsonUs, bytesRatio])
  }
  printTable('written in SBE, over JSON', table)
  return { ratios, figures }
}
