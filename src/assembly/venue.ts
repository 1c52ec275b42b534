/** An embedded exchange as programs get it: where it is, and its methods, which are operators' actions. */
import { isDate } from 'node:util/types'
import { Turns } from '../base/turns.ts'
import type { VirtualClock } from '../base/virtual-clock.ts'
import type { Gateway } from '../gateway/gateway.ts'
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
import { plainFetch, responseOf } from './plain-fetch.ts'
import { chainBy } from './venue-chain.ts'
import { clockHere, operatedClock } from './venue-clock.ts'
import { OperatedEvents } from './venue-events.ts'
import { type VenueEnds, VenueStates } from './venue-states.ts'

const LOOPBACK = new Uint8Array([127, 0, 0, 1]).buffer

/** Where an exchange is, as a child process writes it. */
export type VenueAddresses = Pick<
  EmbeddedExchange,
  'url' | 'wsUrl' | 'wsApiUrl' | 'sbeUrl' | 'adminUrl' | 'port' | 'folder'
> & { readonly accounts: Record<string, ApiKey> }

/** An exchange in this process: its first gateway, and what moves its time, if anything does. */
export interface Here {
  readonly gateway: () => Pick<Gateway, 'request'>
  readonly clock: () => VirtualClock | undefined
}

/** `here` is undefined for an exchange in a child process. */
export function venueOf(
  addresses: VenueAddresses,
  carryOut: Operate,
  ends: VenueEnds,
  here?: Here,
): EmbeddedExchange {
  const { folder, accounts } = addresses
  let isClosed = false
  const refuseClosed = () => {
    if (isClosed) throw new Error('The exchange is closed.')
  }
  const operate: Operate = async (action, given) => {
    refuseClosed()
    return carryOut(action, given)
  }
  const send =
    here === undefined ? fetchOver(addresses.url) : fetchHere(here.gateway, addresses.url)
  const clock = () => {
    refuseClosed()
    return here!.clock()!
  }
  const states = new VenueStates(operate, folder, accounts, ends)
  const { networks } = ends
  const close = async () => {
    await networks.close()
    await states.closeForks()
    isClosed = true
    await ends.close()
  }
  return {
    ...addresses,
    clock: here?.clock() === undefined ? operatedClock(operate) : clockHere(clock),
    fetch: async (target, init) => {
      refuseClosed()
      return send(target, init)
    },
    faults: faultsBy(operate),
    account: venueAccount(operate, folder, accounts),
    fill: fillBy(operate),
    blockTrade: blockTradeBy(operate),
    chain: chainBy(operate),
    events: (of = {}) => {
      refuseClosed()
      return new OperatedEvents(operate, of, () => isClosed)
    },
    save: (nameOrPath) => states.save(nameOrPath),
    states: () => states.list(),
    removeState: (name) => states.remove(name),
    load: (nameOrPath) => states.load(nameOrPath),
    reset: () => states.reset(),
    fork: () => states.fork(),
    network: async (conditions = {}) => {
      refuseClosed()
      return networks.add(conditions)
    },
    mark: () => states.mark(),
    revert: (mark, how = {}) => states.revert(mark, how),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Returns what of an exchange can be written as JSON. */
export function factsOf({ url, wsUrl, wsApiUrl, sbeUrl, adminUrl, ...exchange }: EmbeddedExchange) {
  const { port, folder, accounts } = exchange
  return { url, wsUrl, wsApiUrl, sbeUrl, adminUrl, port, folder, accounts } satisfies VenueAddresses
}

/** Fetches without connections, from a gateway on the caller's event loop. `url` is the exchange's. */
const fetchHere =
  (gateway: () => Pick<Gateway, 'request'>, url: string): VenueFetch =>
  async (target, { method = 'GET', headers = {}, body, signal } = {}) => {
    signal?.throwIfAborted()
    const { pathname, search } = new URL(target, url)
    const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
    const answered = gateway().request({
      method: method.toUpperCase(),
      target: pathname + search,
      headers: Object.fromEntries(named),
      ...(body !== undefined && { body }),
      address: LOOPBACK,
    })
    const answer = await (signal === undefined ? answered : untilAborted(answered, signal))
    return responseOf(answer.status, answer.headers, answer.body)
  }

async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const ended = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { signal: ended.signal })
  })
  return Promise.race([promise, aborted]).finally(() => ended.abort())
}

/** Over connections. */
const fetchOver =
  (url: string): VenueFetch =>
  (target, init) =>
    plainFetch(new URL(target, url).href, init)

/** Fills by the exchange's counterparty. */
const fillBy =
  (operate: Operate): EmbeddedExchange['fill'] =>
  async ({ symbol, orderId }, quantity) => {
    const part = quantity === undefined ? {} : { quantity: decimalText(quantity) }
    const { rows } = await operate('fill', { symbol, id: orderId, ...part })
    return rows[0] as unknown as VenueFill
  }

const blockTradeBy =
  (operate: Operate): EmbeddedExchange['blockTrade'] =>
  async ({ price, quantity, fee = 0, ...others }) => {
    const [priceText, quantityText, feeText] = [price, quantity, fee].map(decimalText)
    const amounts = { price: priceText, quantity: quantityText, fee: feeText }
    const { rows } = await operate('block-trade', { ...others, ...amounts })
    return Number(rows[0]!.blockTradeId)
  }

/** Rules of the sandbox. */
function faultsBy(operate: Operate): VenueFaults {
  // Two rules that are added at once must not find the same name unused.
  const turns = new Turns()
  // The first unused one: what a name decides (chance) does not hang on rules of tests before.
  const unusedName = (rows: readonly VenueFaultRow[], from = 1): string => {
    const name = `fault-${from}`
    return rows.some((row) => row.name === name) ? unusedName(rows, from + 1) : name
  }
  const list = async () => (await operate('faults', {})).rows.map((row) => faultRowOf(row))
  return {
    add: ({ name, ...rule }) =>
      turns.run(async () => {
        const own = name ?? unusedName(await list())
        const given = Object.entries(rule).map(([field, value]) => [
          field,
          isDate(value) ? Number(value) : value,
        ])
        await operate('fault-add', { name: own, ...Object.fromEntries(given) })
        return own
      }),
    list,
    async expectTouched(names) {
      const rows = await list()
      const gone = names?.filter((name) => !rows.some((row) => row.name === name)) ?? []
      const idle = rows.filter((row) => row.touched === 0 && (names?.includes(row.name) ?? true))
      const missed = [...gone, ...idle.map(({ name, matches }) => `${name} (${matches} matches)`)]
      if (missed.length > 0) throw new Error(`Rules that touched nothing: ${missed.join(', ')}.`)
    },
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
