/** Settings of a symbol's calls and interruptions (docs/phases.md). */
import { randomInt } from 'node:crypto'
import type { CorridorEnd } from '../../base/codes.ts'
import { BASIS_POINTS, INTERRUPTIONS_KEPT, RATE_MAX } from '../../base/limits.ts'
import { DAY_MS } from '../../market/intervals.ts'
import type { PhaseSettings, SymbolSpec } from '../../market/listing.ts'
import { ActionError, type ActionParam, type Arguments, actionsOf } from '../action.ts'
import { listedSymbolOf, rateText, symbolFact, symbolOf, symbolParam } from './named.ts'

const SECOND_MS = 1_000
/** A call ends at random within an hour; an anchor and an interruption's call last a day at most. */
const RANDOM_END_SECONDS_MAX = 3_600
const SECONDS_MAX = DAY_MS / SECOND_MS
/** A basis point of 1e-8, the unit of shares; a price may move by all of the anchor at most. */
const BASIS_POINT = 10_000
/** One call is extended so often at most. */
const EXTENSIONS_MAX = 100
/** By CorridorEnd. */
const ENDS = ['bound', 'operator'] as const
/** In place of a rate. */
const USUAL = 'usual'

const seconds = (name: string, about: string): ActionParam => ({ name, kind: 'integer', about })

/** Names of the parameters without the symbol's. */
export const phaseSettingNames = [
  ...['random-end', 'auction-rate', 'interruption', 'window', 'call', 'rests', 'hourly-calls'],
  ...['corridor', 'corridor-static', 'extension', 'extensions', 'corridor-ends'],
] as const

export const phaseActions = actionsOf('market', [
  {
    name: 'symbol-phases',
    title: "Set a symbol's auctions and interruptions",
    role: 'admin',
    example: 'symbol-phases BTCUSDT --random-end 30',
    about: "Sets how a symbol's auctions end, what they cost, and which prices interrupt trading.",
    params: [
      symbolParam,
      seconds(
        'random-end',
        'A call that is to end does so within these seconds, at random; 0: at once.',
      ),
      {
        name: 'auction-rate',
        kind: 'text',
        about: `Commission of auctions' trades, such as 0.0005; "${USUAL}": that of other trades.`,
      },
      {
        name: 'interruption',
        kind: 'rate',
        about: 'A move this far from the anchor interrupts trading, such as 0.05; 0: none does.',
      },
      seconds('window', 'Seconds that a price stays the anchor, from which a move is measured.'),
      seconds('call', "Seconds that an interruption's call lasts, without its random end."),
      {
        name: 'rests',
        kind: 'flag',
        about: 'Read as on: a limit order that interrupts rests.',
      },
      {
        name: 'hourly-calls',
        kind: 'integer',
        about:
          'After so many interruptions in an hour the next lasts until it is resumed; 0: none.',
      },
      {
        name: 'corridor',
        kind: 'rate',
        about: 'An auction this far from the last price is extended, such as 0.05; 0: none is.',
      },
      {
        name: 'corridor-static',
        kind: 'rate',
        about: 'The same from the price of the last auction.',
      },
      seconds('extension', 'Seconds that an extension lasts, without its random end.'),
      { name: 'extensions', kind: 'integer', about: 'How often one call is extended.' },
      {
        name: 'corridor-ends',
        kind: 'text',
        about: `After the last extension: "${ENDS.join('", "')}": at the corridor's bound, or as resumed.`,
      },
    ],
    presentBy: ['symbol'],
    present: (args, { registry }) => settingTexts(symbolOf(args, registry)),
    run: (args, { registry }) => {
      const spec = listedSymbolOf(args, registry)
      const phases = settingsOf(args, spec.phases)
      return {
        facts: [symbolFact(spec, { phases })],
        said: `Phases of ${spec.name} are set.${warningOf(args)}`,
      }
    },
  },
])

const settingTexts = ({ phases }: SymbolSpec) => ({
  'random-end': String(phases.randomEndMs / SECOND_MS),
  'auction-rate': phases.auctionRate < 0 ? USUAL : rateText(phases.auctionRate),
  interruption: rateText(phases.interruptionBasisPoints * BASIS_POINT),
  window: String(phases.interruptionWindowMs / SECOND_MS),
  call: String(phases.interruptionCallMs / SECOND_MS),
  'hourly-calls': String(phases.hourlyInterruptions),
  corridor: rateText(phases.corridorBasisPoints * BASIS_POINT),
  'corridor-static': rateText(phases.staticCorridorBasisPoints * BASIS_POINT),
  extension: String(phases.extensionMs / SECOND_MS),
  extensions: String(phases.extensionsMax),
  'corridor-ends': ENDS[phases.corridorEnd],
})

/** An order that expired instead of resting could stop a market for nothing. */
const warningOf = (args: Arguments): string =>
  args.flag('rests', true) ? '' : ' Warning: rests is read as on.'

/** What is not given stays. */
function settingsOf(args: Arguments, before: PhaseSettings): PhaseSettings {
  const ms = (name: string, max: number, present: number) =>
    args.has(name) ? args.integer(name, 0, max) * SECOND_MS : present
  const count = (name: string, max: number, present: number) => args.integer(name, 0, max, present)
  const settings = {
    randomEndMs: ms('random-end', RANDOM_END_SECONDS_MAX, before.randomEndMs),
    auctionRate: args.has('auction-rate') ? auctionRateOf(args) : before.auctionRate,
    interruptionBasisPoints: basisPointsOf(args, 'interruption', before.interruptionBasisPoints),
    interruptionWindowMs: ms('window', SECONDS_MAX, before.interruptionWindowMs),
    interruptionCallMs: ms('call', SECONDS_MAX, before.interruptionCallMs),
    hourlyInterruptions: count('hourly-calls', INTERRUPTIONS_KEPT, before.hourlyInterruptions),
    corridorBasisPoints: basisPointsOf(args, 'corridor', before.corridorBasisPoints),
    staticCorridorBasisPoints: basisPointsOf(
      args,
      'corridor-static',
      before.staticCorridorBasisPoints,
    ),
    extensionMs: ms('extension', SECONDS_MAX, before.extensionMs),
    extensionsMax: count('extensions', EXTENSIONS_MAX, before.extensionsMax),
    corridorEnd: corridorEndOf(args, before.corridorEnd),
  }
  const { interruptionBasisPoints, interruptionWindowMs, interruptionCallMs } = settings
  const isWhole = interruptionWindowMs > 0 && interruptionCallMs > 0
  if (interruptionBasisPoints > 0 && !isWhole) {
    throw new ActionError('An interruption needs a window and a call, in seconds.')
  }
  if (settings.extensionsMax > 0 && settings.extensionMs === 0) {
    throw new ActionError('Extensions need the seconds of one (--extension).')
  }
  // It predicts when a call ends, so only the control journal has it.
  const seed = before.seed === 0 && settings.randomEndMs > 0 ? randomInt(1, 2 ** 32) : before.seed
  return { ...before, ...settings, seed }
}

function auctionRateOf(args: Arguments): number {
  if (args.text('auction-rate') === USUAL) return -1
  const rate = args.rate('auction-rate', 0)
  if (rate <= RATE_MAX) return rate
  throw new ActionError(`auction-rate must be at most ${rateText(RATE_MAX)}, half of a trade.`)
}

function basisPointsOf(args: Arguments, name: string, present: number): number {
  const points = args.rate(name, present * BASIS_POINT) / BASIS_POINT
  if (Number.isInteger(points) && points <= BASIS_POINTS) return points
  throw new ActionError(`${name} must be a share of at most 4 decimals and 1, such as 0.05.`)
}

function corridorEndOf(args: Arguments, present: CorridorEnd): CorridorEnd {
  if (!args.has('corridor-ends')) return present
  const end = args.read({ kind: 'choice', choices: ENDS }, 'corridor-ends')
  return ENDS.indexOf(end) as CorridorEnd
}
