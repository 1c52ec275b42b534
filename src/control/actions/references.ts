/** Where a symbol's reference price comes from, and the price range around it (docs/reference-price.md). */
import { ReferenceCalculation } from '../../base/codes.ts'
import { formatDecimal, parseInt64 } from '../../base/fixed.ts'
import type { Int64 } from '../../base/int64.ts'
import { REFERENCE_BUCKETS_MAX, REFERENCE_WINDOW_MS_MAX, WIRE_DECIMALS } from '../../base/limits.ts'
import {
  noReference,
  type PriceRange,
  type ReferenceSettings,
  type SymbolSpec,
} from '../../market/listing.ts'
import { ActionError, type ActionParam, type Arguments, actionsOf } from '../action.ts'
import { listedSymbolOf, symbolFact, symbolOf, symbolParam } from './named.ts'

/** In place of a value. */
const NONE = 'none'
const SOURCES = ['mean', 'external', NONE] as const
/** Decimals of a multiplier, as answers show them, and the largest. */
const MULTIPLIER_DECIMALS = 4
const MULTIPLIER_MAX = 1_000_000
const EXTERNAL_ID_MAX = 2 ** 31 - 1

/** By parameter: the multiplier that it sets. */
const MULTIPLIERS = {
  'bid-up': ['bidUp', 'BUY trades at most at so many times the reference price, such as 1.05'],
  'bid-down': ['bidDown', 'BUY trades at least at so many times the reference price'],
  'ask-up': ['askUp', 'SELL trades at most at so many times the reference price'],
  'ask-down': ['askDown', 'SELL trades at least at so many times the reference price'],
} as const satisfies Record<string, readonly [keyof PriceRange, string]>
type MultiplierName = keyof typeof MULTIPLIERS
const multiplierNames = Object.keys(MULTIPLIERS) as readonly MultiplierName[]

/** Names of the parameters without the symbol's. */
export const referenceSettingNames = [
  ...['reference', 'buckets', 'bucket-ms', 'external-id'],
  ...multiplierNames,
] as const

export const referenceActions = actionsOf('market', [
  {
    name: 'symbol-reference',
    title: "Set a symbol's reference price and price range",
    role: 'admin',
    example: 'symbol-reference BTCUSDT --reference external --external-id 1',
    about: 'Sets where the reference price comes from, and how far from it orders may take.',
    params: [
      symbolParam,
      {
        name: 'reference',
        kind: 'text',
        about: `"${SOURCES.join('", "')}": of the trades' prices, from outside, or there is none.`,
      },
      {
        name: 'buckets',
        kind: 'integer',
        about: `Of a mean: how many buckets its window has, at most ${REFERENCE_BUCKETS_MAX}.`,
      },
      {
        name: 'bucket-ms',
        kind: 'integer',
        about: 'Of a mean: how long one is. The window has at most 24 hours.',
      },
      {
        name: 'external-id',
        kind: 'integer',
        about: 'Of a price from outside: the number of its method, which clients are shown.',
      },
      ...multiplierNames.map(
        (name): ActionParam => ({
          name,
          kind: 'text',
          about: `${MULTIPLIERS[name][1]}; "${NONE}": no bound.`,
        }),
      ),
    ],
    presentBy: ['symbol'],
    present: (args, { registry }) => settingTexts(symbolOf(args, registry)),
    run: (args, { registry }) => {
      const spec = listedSymbolOf(args, registry)
      const changes = {
        reference: referenceOf(args, spec.reference),
        priceRange: rangeOf(args, spec.priceRange),
      }
      return {
        facts: [symbolFact(spec, changes)],
        said: `Reference price and price range of ${spec.name} are set.`,
      }
    },
  },
  {
    name: 'reference-price',
    title: 'Set a reference price from outside',
    role: 'admin',
    example: 'reference-price BTCUSDT 65000',
    about: 'Sets the reference price of a symbol whose price comes from outside.',
    params: [
      symbolParam,
      { name: 'price', kind: 'text', about: `The price; "${NONE}": null.`, required: true },
    ],
    run: (args, { registry, view }) => {
      const { id: symbolId, name } = listedSymbolOf(args, registry)
      const priceUnits = externalPriceOf(args.text('price'), 'price')
      return {
        said: '',
        report: async () => {
          const answer = await view.ask(0, { ask: 'referencePrice', symbolId, priceUnits })
          if ('refused' in answer) throw new ActionError(answer.refused)
          return `The reference price of ${name} is ${priceText(priceUnits)}.`
        },
      }
    },
  },
])

const priceText = (priceUnits: Int64): string =>
  priceUnits < 0 ? 'null' : formatDecimal(priceUnits, WIRE_DECIMALS)

/** Whether the reference price comes from outside. */
export const isExternal = ({ reference }: SymbolSpec): boolean =>
  reference.calculation === ReferenceCalculation.EXTERNAL

/** Returns a price in 10^-8 of the quote asset; -1 for none. Throws ActionError, which says `name`. */
export function externalPriceOf(text: unknown, name: string): Int64 {
  if (text === NONE) return -1
  const units = typeof text === 'string' ? parseInt64(text, WIRE_DECIMALS) : 0
  if (units > 0) return units
  throw new ActionError(`${name} must be a decimal of at most 8 decimals above 0, or "${NONE}".`)
}

function settingTexts(spec: SymbolSpec): Record<string, string> {
  const { reference, priceRange } = spec
  const { calculation, bucketCount, bucketWidthMs, externalId } = reference
  const isMean = calculation === ReferenceCalculation.ARITHMETIC_MEAN
  return {
    reference: sourceOf(reference),
    ...(isMean && { buckets: String(bucketCount), 'bucket-ms': String(bucketWidthMs) }),
    ...(isExternal(spec) && { 'external-id': String(externalId) }),
    ...Object.fromEntries(
      multiplierNames.map((name) => [name, multiplierText(priceRange[MULTIPLIERS[name][0]])]),
    ),
  }
}

const multiplierText = (multiplier: number): string =>
  multiplier === 0 ? NONE : formatDecimal(multiplier, MULTIPLIER_DECIMALS)

/** What is not given stays, of the same source. */
function referenceOf(args: Arguments, before: ReferenceSettings): ReferenceSettings {
  const source = args.has('reference')
    ? args.read({ kind: 'choice', choices: SOURCES }, 'reference')
    : sourceOf(before)
  const { ARITHMETIC_MEAN, EXTERNAL } = ReferenceCalculation
  checkFitting(args, source)
  if (source === NONE) return noReference
  if (source === 'external') {
    const externalId = args.integer('external-id', 0, EXTERNAL_ID_MAX, before.externalId)
    return { ...noReference, calculation: EXTERNAL, externalId }
  }
  const bucketCount = args.integer('buckets', 1, REFERENCE_BUCKETS_MAX, before.bucketCount)
  const bucketWidthMs = args.integer('bucket-ms', 1, REFERENCE_WINDOW_MS_MAX, before.bucketWidthMs)
  if (bucketCount === 0 || bucketWidthMs === 0) {
    throw new ActionError('A mean needs its buckets and their length (--buckets, --bucket-ms).')
  }
  if (bucketCount * bucketWidthMs > REFERENCE_WINDOW_MS_MAX) {
    throw new ActionError('The window of a mean, buckets times bucket-ms, has at most 24 hours.')
  }
  return { calculation: ARITHMETIC_MEAN, bucketCount, bucketWidthMs, externalId: 0 }
}

const sourceOf = ({ calculation }: ReferenceSettings): (typeof SOURCES)[number] =>
  calculation === ReferenceCalculation.NONE
    ? NONE
    : calculation === ReferenceCalculation.EXTERNAL
      ? 'external'
      : 'mean'

/** Throws for a parameter of another source. */
function checkFitting(args: Arguments, source: string): void {
  const others = {
    mean: ['external-id'],
    external: ['buckets', 'bucket-ms'],
    [NONE]: ['buckets', 'bucket-ms', 'external-id'],
  }
  const other = others[source as keyof typeof others].find((name) => args.has(name))
  if (other !== undefined) throw new ActionError(`${other} does not fit the reference "${source}".`)
}

function rangeOf(args: Arguments, before: PriceRange): PriceRange {
  const given = multiplierNames
    .filter((name) => args.has(name))
    .map((name) => [MULTIPLIERS[name][0], multiplierOf(args, name)])
  const range: PriceRange = { ...before, ...Object.fromEntries(given) }
  const isEmpty = (up: number, down: number) => up !== 0 && down > up
  if (isEmpty(range.bidUp, range.bidDown) || isEmpty(range.askUp, range.askDown)) {
    throw new ActionError('A multiplier down is above its multiplier up: nothing could trade.')
  }
  return range
}

function multiplierOf(args: Arguments, name: string): number {
  const text = args.text(name)
  if (text === NONE) return 0
  const multiplier = parseInt64(text, MULTIPLIER_DECIMALS)
  if (multiplier > 0 && multiplier <= MULTIPLIER_MAX) return Number(multiplier)
  throw new ActionError(
    `${name} must be a decimal of at most 4 decimals from 0.0001 to 100, or "${NONE}".`,
  )
}
