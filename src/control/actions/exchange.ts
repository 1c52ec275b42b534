/** Actions on the exchange as a whole. */
import { formatDecimal } from '../../base/fixed.ts'
import { RATE_DECIMALS } from '../../base/limits.ts'
import { ActionError, type Arguments, actionsOf, type ExchangeView } from '../action.ts'
import type { ExchangeFact } from '../facts.ts'
import { mergeFilters, readExchangeFilters } from '../filters.ts'
import type { Registry } from '../registry.ts'
import { counted } from '../words.ts'
import { assetOf, filtersParam, filtersText, removeParam } from './named.ts'

export const exchangeActions = actionsOf('exchange', [
  {
    name: 'exchange-filters',
    title: 'Set filters of the whole exchange',
    role: 'admin',
    example: 'exchange-filters @filters.json --remove EXCHANGE_MAX_NUM_ORDERS',
    about: 'Sets filters that bind accounts over all symbols. Omitted filters stay.',
    params: [{ ...filtersParam, required: true }, removeParam],
    presentBy: [],
    present: (_, { registry }) => ({ filters: filtersText(registry.exchange.filters) }),
    run: (args, { registry }) => {
      const given = readExchangeFilters(args.json('filters'))
      const removed = args.list('remove', [])
      const { filters: before } = registry.exchange
      const filters = mergeFilters(before, given, removed, 'The exchange')
      const fact = exchangeFact(registry, { filters })
      return { facts: [fact], said: 'Filters of the exchange are set.' }
    },
  },
  {
    name: 'exchange-discount',
    title: 'Set the discount on commissions',
    role: 'admin',
    example: 'exchange-discount BNB 0.75',
    about: 'Names the asset in which commissions may be paid at a discount.',
    params: [
      { name: 'asset', kind: 'text', about: 'Its name, or none.', required: true },
      {
        name: 'rate',
        kind: 'rate',
        about: 'The share that remains of standard rates: 0.75 takes 25 % off.',
      },
    ],
    previews: (args) => {
      if (args.text('asset') === 'none')
        return { does: 'End the discount', note: '', yes: 'End it' }
      const does = `Set a discount on commissions paid in ${args.text('asset')}`
      return { does, note: discountText(args, 'will be'), yes: 'Set it' }
    },
    run: (args, { registry }) => {
      const discountAsset = args.text('asset') === 'none' ? '' : assetOf(args, registry).name
      const discountRate = args.rate('rate', 0)
      if (discountAsset !== '' && (discountRate === 0 || discountRate > 10 ** RATE_DECIMALS)) {
        throw new ActionError('rate must be above 0 and at most 1.')
      }
      return {
        facts: [exchangeFact(registry, { discountAsset, discountRate })],
        said: discountAsset === '' ? 'There is no discount.' : discountText(args, 'are'),
      }
    },
  },
  {
    name: 'maintenance',
    title: 'Announce maintenance, or end it',
    role: 'admin',
    example: 'maintenance on',
    about: 'Sets or clears maintenance in the system status; changes nothing else.',
    params: [{ name: 'on', kind: 'flag', about: 'on or off.', required: true }],
    run: (args) => {
      const on = args.flag('on', true)
      const said = `Maintenance is ${on ? 'announced' : 'called off'}.`
      return { facts: [{ fact: 'maintenance', on }], said }
    },
  },
  {
    name: 'snapshot',
    title: 'Make a snapshot now',
    role: 'admin',
    example: 'snapshot',
    about: 'Makes a snapshot now, so that the next start has less to replay.',
    params: [],
    run: () => ({ said: '', next: 'snapshot' }),
  },
  {
    name: 'reload',
    title: 'Read certificate and settings again',
    role: 'admin',
    example: 'reload',
    about:
      'Reads the TLS certificate and the file of alerts again, and trusted-proxies, exempt-addresses and sbe of the settings file; open connections continue, except streams in SBE that it switches off.',
    params: [],
    run: (_, { view }) => {
      try {
        const reread = view.readAgain()
        return { said: reread.said, next: 'reload', reread }
      } catch (error) {
        throw new ActionError((error as Error).message)
      }
    },
  },
  {
    name: 'drain',
    title: 'Drain the exchange',
    role: 'admin',
    example: 'drain',
    about: 'Refuses new orders, connections and changes, and finishes what is in flight.',
    params: [],
    previews: (_, { view }) => ({
      does: 'Drain the exchange, and refuse all orders until its next start',
      note: `${connectedText(view)} Only stop can follow.`,
      yes: 'Drain',
    }),
    run: () => ({
      said: 'Orders, connections and changes are refused; nothing is in flight.',
      next: 'drain',
    }),
  },
  {
    name: 'stop',
    title: 'Stop the exchange',
    role: 'admin',
    example: 'stop',
    about: 'Stops the exchange as SIGTERM does.',
    params: [],
    previews: (_, { view }) => ({
      does: 'Stop the exchange',
      note: `${connectedText(view)} It serves no client until it is started again.`,
      yes: 'Stop',
    }),
    run: () => ({ said: 'The exchange stops.', next: 'stop' }),
  },
])

/** Says how many clients a stop or a drain meets. */
function connectedText(view: ExchangeView): string {
  const connections = view
    .counters()
    .filter(({ scope, name }) => scope === 'gateway' && name === 'connections')
    .reduce((sum, { value }) => sum + value, 0)
  return `${counted(connections, 'WebSocket')} ${connections === 1 ? 'is' : 'are'} open.`
}

/** Says what the rate means: an operator may take 0.25 for a quarter less. */
function discountText(args: Arguments, verb: string): string {
  const share = args.rate('rate', 0)
  const percent = formatDecimal(10 ** RATE_DECIMALS - share, RATE_DECIMALS - 2)
  const less = percent.replace(/\.?0+$/, '')
  const asset = args.text('asset')
  return `Commissions paid in ${asset} ${verb} ${less} % less than the standard rates.`
}

/** Returns the present fact, with the changes. */
function exchangeFact(
  { exchange, assets }: Registry,
  changes: Partial<Omit<ExchangeFact, 'fact'>>,
): ExchangeFact {
  const { filters, discountAssetId, discountRate } = exchange
  const discountAsset = assets.find(({ id }) => id === discountAssetId)?.name ?? ''
  return { fact: 'exchange', filters, discountAsset, discountRate, ...changes }
}
