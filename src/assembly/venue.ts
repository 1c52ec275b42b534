/** An embedded exchange as programs get it: where it is, and its methods, which are operators' actions. */
import type { VirtualClock } from '../base/virtual-clock.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { venueAccount } from './embedded-accounts.ts'
import type { Operate } from './operate.ts'
import type { ApiKey, EmbeddedExchange } from './options.ts'
import { clockHere, operatedClock } from './venue-clock.ts'
import { OperatedEvents } from './venue-events.ts'
import { venueFaults } from './venue-faults.ts'
import { fetchHere, fetchOver } from './venue-fetch.ts'
import { venueFill } from './venue-fill.ts'
import { type StartFork, VenueStates } from './venue-states.ts'

/** Where an exchange is, as a child process writes it. */
export type VenueFacts = Pick<
  EmbeddedExchange,
  'url' | 'wsUrl' | 'wsApiUrl' | 'adminUrl' | 'port' | 'folder'
> & { readonly accounts: Record<string, ApiKey> }

/** Of an exchange in this process: its first gateway, and what moves its time, if anything does. */
export interface Here {
  readonly gateway: () => Pick<Gateway, 'request'>
  readonly clock: VirtualClock | undefined
}

/** `here` is undefined for an exchange in a child process. */
export function venueOf(
  facts: VenueFacts,
  operate: Operate,
  ends: { readonly close: () => Promise<void>; readonly startFork: StartFork },
  here?: Here,
): EmbeddedExchange {
  const { folder, accounts } = facts
  const states = new VenueStates(operate, folder, accounts, ends.startFork)
  let isClosed = false
  return {
    ...facts,
    clock: here?.clock === undefined ? operatedClock(operate) : clockHere(here.clock),
    fetch: here === undefined ? fetchOver(facts.url) : fetchHere(here.gateway, facts.url),
    faults: venueFaults(operate),
    account: venueAccount(operate, folder, accounts),
    fill: venueFill(operate),
    events: (of = {}) => new OperatedEvents(operate, of, () => isClosed),
    save: (name) => states.save(name),
    load: (name) => states.load(name),
    reset: () => states.reset(),
    fork: () => states.fork(),
    close: async () => {
      isClosed = true
      await states.closeForks()
      await ends.close()
    },
  }
}

/** Returns what of an exchange can be written as JSON. */
export function factsOf({ url, wsUrl, wsApiUrl, adminUrl, ...exchange }: EmbeddedExchange) {
  const { port, folder, accounts } = exchange
  return { url, wsUrl, wsApiUrl, adminUrl, port, folder, accounts } satisfies VenueFacts
}
