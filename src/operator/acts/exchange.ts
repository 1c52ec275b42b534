/** Acts on the exchange as a whole. */
import { RATE_DECIMALS } from '../../base/limits.ts'
import { ActError, type ActRow } from '../act.ts'
import type { ExchangeFact } from '../facts.ts'
import { mergeFilters, readExchangeFilters } from '../filters.ts'
import type { Registry } from '../registry.ts'
import { assetOf, filtersParam, removeParam } from './named.ts'

export const exchangeActs: readonly ActRow[] = [
  {
    name: 'exchange-filters',
    about: 'Sets filters that bind accounts over all symbols; those not given stay.',
    isImmediate: true,
    params: [{ ...filtersParam, required: true }, removeParam],
    run: (args, { registry }) => {
      const given = readExchangeFilters(args.json('filters'))
      const removed = args.has('remove') ? args.list('remove') : []
      const { filters: before } = registry.exchange
      const filters = mergeFilters(before, given, removed, 'The exchange')
      const fact = exchangeFact(registry, { filters })
      return { facts: [fact], said: 'Filters of the exchange are set.' }
    },
  },
  {
    name: 'exchange-discount',
    about: 'Names the asset in which commissions may be paid at a discount.',
    isImmediate: true,
    params: [
      { name: 'asset', kind: 'text', about: 'Its name; none for no such asset.', required: true },
      { name: 'rate', kind: 'rate', about: 'What standard rates are multiplied with: 0.75.' },
    ],
    run: (args, { registry }) => {
      const discountAsset = args.text('asset') === 'none' ? '' : assetOf(args, registry).name
      const discountRate = args.rate('rate', 0)
      if (discountAsset !== '' && (discountRate === 0 || discountRate > 10 ** RATE_DECIMALS)) {
        throw new ActError('rate must be above 0 and at most 1.')
      }
      return {
        facts: [exchangeFact(registry, { discountAsset, discountRate })],
        said: discountAsset === '' ? 'There is no discount.' : `${discountAsset} is discounted.`,
      }
    },
  },
  {
    name: 'maintenance',
    about: 'Announces maintenance in the system status, or calls it off; changes nothing else.',
    isImmediate: true,
    params: [{ name: 'on', kind: 'flag', about: 'on or off.', required: true }],
    run: (args) => {
      const on = args.flag('on', true)
      const said = `Maintenance is ${on ? 'announced' : 'called off'}.`
      return { facts: [{ fact: 'maintenance', on }], said }
    },
  },
  {
    name: 'snapshot',
    about: 'Makes a snapshot now, so that the next start has less to replay.',
    isImmediate: true,
    params: [],
    run: () => ({ said: '', next: 'snapshot' }),
  },
  {
    name: 'drain',
    about: 'Accepts nothing more and finishes what is in flight; the next act is stop.',
    isImmediate: true,
    params: [],
    run: () => ({ said: 'Nothing is accepted any more; nothing is in flight.', next: 'drain' }),
  },
  {
    name: 'stop',
    about: 'Stops the exchange as SIGTERM does.',
    isImmediate: true,
    params: [],
    run: () => ({ said: 'The exchange stops.', next: 'stop' }),
  },
]

/** Returns the present fact, with the changes. */
function exchangeFact(
  { exchange, assets }: Registry,
  changes: Partial<Omit<ExchangeFact, 'fact'>>,
): ExchangeFact {
  const { filters, discountAssetId, discountRate } = exchange
  const discountAsset = assets.find(({ id }) => id === discountAssetId)?.name ?? ''
  return { fact: 'exchange', filters, discountAsset, discountRate, ...changes }
}
