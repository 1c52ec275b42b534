/** Acts on the exchange as a whole. */
import type { ActRow } from '../act.ts'

export const exchangeActs: readonly ActRow[] = [
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
