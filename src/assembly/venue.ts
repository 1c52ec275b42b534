/** An embedded exchange as programs get it: where it is, and its methods, which are operators' actions. */
import type { VirtualClock } from '../base/virtual-clock.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { InnerAnswer } from '../gateway/http/inner-request.ts'
import { decimalText, venueAccount } from './embedded-accounts.ts'
import type { Operate } from './operate.ts'
import type {
  ApiKey,
  EmbeddedExchange,
  VenueFaultRow,
  VenueFaults,
  VenueFetch,
  VenueFill,
} from './options.ts'
import { clockHere, operatedClock } from './venue-clock.ts'
import { OperatedEvents } from './venue-events.ts'
import { type StartFork, VenueStates } from './venue-states.ts'

const LOOPBACK = new Uint8Array([127, 0, 0, 1]).buffer
/** Responses that have no body, by the rules of fetch. */
const BODILESS = new Set([204, 205, 304])

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
    faults: faultsBy(operate),
    account: venueAccount(operate, folder, accounts),
    fill: fillBy(operate),
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

/** Without connections: to a gateway on the event loop of the caller. `url` is the exchange's. */
const fetchHere =
  (gateway: () => Pick<Gateway, 'request'>, url: string): VenueFetch =>
  async (target, { method = 'GET', headers = {}, body } = {}) => {
    const { pathname, search } = new URL(target, url)
    const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
    const answer = await gateway().request({
      method: method.toUpperCase(),
      target: pathname + search,
      headers: Object.fromEntries(named),
      ...(body !== undefined && { body }),
      address: LOOPBACK,
    })
    return responseOf(answer)
  }

/** Over connections. */
const fetchOver =
  (url: string): VenueFetch =>
  (target, init) =>
    fetch(new URL(target, url), init)

const responseOf = ({ status, headers, body }: InnerAnswer): Response =>
  new Response(BODILESS.has(status) ? null : body, { status, headers })

/** Fills by the exchange's counterparty. */
const fillBy =
  (operate: Operate): EmbeddedExchange['fill'] =>
  async ({ symbol, orderId }, quantity) => {
    const part = quantity === undefined ? {} : { quantity: decimalText(quantity) }
    const { rows } = await operate('fill', { symbol, id: orderId, ...part })
    return rows[0] as unknown as VenueFill
  }

/** Rules of the sandbox. */
function faultsBy(operate: Operate): VenueFaults {
  let named = 0
  const unusedName = (rows: readonly VenueFaultRow[]): string => {
    const name = `fault-${++named}`
    return rows.some((row) => row.name === name) ? unusedName(rows) : name
  }
  const list = async () => (await operate('faults', {})).rows.map((row) => faultRowOf(row))
  return {
    async add({ name, ...rule }) {
      const own = name ?? unusedName(await list())
      await operate('fault-add', { name: own, ...rule })
      return own
    },
    list,
    remove: async (name) => {
      await operate('fault-remove', { name })
    },
    apply: async (rules) => {
      await operate('faults-apply', { rules })
    },
  }
}

function faultRowOf(row: Readonly<Record<string, unknown>>): VenueFaultRow {
  const { state, ...others } = row as unknown as VenueFaultRow & { readonly state: string }
  return { ...others, isOver: state === 'over' }
}
