/// <reference lib="esnext.disposable" />
/**
 * The public types of `import { startExchange } from 'ringbook'`. The build ships this file, and the one that it
 * imports, as the package's declarations.
 */
import type { ExchangeSettings } from './settings.gen.ts'

/** Amounts by asset: decimals as text, or numbers as JavaScript writes them. */
export type Funds = Readonly<Record<string, string | number>>

/**
 * An account's own limits, by the names that a venue file has (docs/market-makers.md); 0 for none. All but open-orders need
 * the setting `limits: true`.
 */
export interface AccountLimits {
  readonly 'orders-per-second'?: number
  readonly 'orders-per-day'?: number
  /** A minute, of signed requests. */
  readonly weight?: number
  /** Connections that are logged on at once. */
  readonly sessions?: number
  readonly 'open-orders'?: number
  /** 'off': orders that are refused for their number ban no address. */
  readonly bans?: 'on' | 'off' | boolean
}

/** An account as it is opened: its funds by asset, and beside them its limits, and what names it in transfers. */
export interface NewAccount {
  readonly [asset: Uppercase<string>]: string | number
  readonly limits?: AccountLimits
  /** Whether its key may withdraw, or the addresses that it may withdraw to; it may not when left out. */
  readonly withdraw?: boolean | readonly string[]
  /** The account whose sub-account it is. */
  readonly master?: string
  /** NAME@ringbook.invalid when left out. */
  readonly email?: string
}

export interface ExchangeOptions {
  /**
   * Where it runs: on the event loop of this process (the default), which must not be blocked, or in a child
   * process.
   */
  readonly process?: 'this' | 'child'
  /** On 127.0.0.1; a free one when left out. */
  readonly port?: number
  /** The data folder, which stays. A temporary one, which `close` removes, when left out. */
  readonly folder?: string
  /**
   * A state that was saved to a path, with which an empty folder begins. A folder that has content continues with that.
   */
  readonly state?: string
  /** The text of a venue file (docs/first-venue.md), listed instead of the demo's six symbols. */
  readonly venue?: string
  /**
   * Accounts beside the demo's four, each with a key, and their funds and limits when they are opened:
   * { alice: { USDT: '1000', limits: { 'open-orders': 500 } } }.
   */
  readonly accounts?: Readonly<Record<string, NewAccount>>
  /**
   * Its time: the machine's (the default), or a virtual one, which stands still until the program moves it by the
   * exchange's `clock` (docs/clock.md). A virtual one begins at the machine's time, or `at` a moment of the past or the
   * future. That must not be before the last order of a kept folder.
   */
  readonly clock?: 'real' | 'virtual' | { readonly at: Moment }
  /**
   * What signs and sends withdrawals in place of the simulated chains, which still confirm them (docs/wallet.md). Only in this
   * process; no state is loaded, reset, forked or reverted then.
   */
  readonly chainPort?: VenueChainPort
  /** By the names of docs/settings.md, such as { 'orders-per-second': 5, limits: true }. */
  readonly settings?: ExchangeSettings
  /** Gets each line of the log, as JSON. From a child: lines of its standard error. */
  readonly log?: (line: string) => void
  /**
   * Hands its close to what ends the tests, so that none forgets it: `after` of node:test, `afterAll` of vitest. Called
   * once it serves, outside any test or hook that is running.
   */
  readonly exit?: (close: () => Promise<void>) => unknown
  /**
   * Called when the exchange fails; it answers nothing any more, so close it. When left out, the error is thrown
   * as an uncaught exception.
   */
  readonly failed?: (error: Error) => void
}

/** A withdrawal that is to be paid. */
export interface VenuePayment {
  readonly withdrawalId: number
  readonly coin: string
  readonly chain: string
  /** A decimal, without the fee. */
  readonly amount: string
  readonly address: string
  /** '' for none. */
  readonly memo: string
  /** As `sign` has returned them; '' before that. */
  readonly txId: string
  readonly transaction: string
}

/** Each call may come again, for the same withdrawal, in another process too. One that rejects comes again later. */
export interface VenueChainPort {
  /**
   * Resolves to the transaction that pays it, and sends nothing: it is journaled first. `txId` has at most 128 letters of
   * Latin-1, `transaction` 512; neither has control characters.
   */
  sign(payment: VenuePayment): Promise<{ readonly txId: string; readonly transaction: string }>
  /** Sends the journaled transaction, which pays once however often it is sent. Resolves when the chain has it. */
  send(payment: VenuePayment): Promise<void>
}

export interface ApiKey {
  readonly apiKey: string
  /** For HMAC SHA-256. */
  readonly secretKey: string
}

export interface EmbeddedExchange {
  /** Base of REST, without a slash at the end: http://127.0.0.1:12345. */
  readonly url: string
  /** Base of streams, before /ws/<name> and /stream?streams=<names>: ws://127.0.0.1:12345. */
  readonly wsUrl: string
  /** The WebSocket API. */
  readonly wsApiUrl: string
  /** Base of streams in SBE, as wsUrl is of those in JSON; for an Ed25519 key. */
  readonly sbeUrl: string
  /** The operators' screen and actions, on the loopback address. */
  readonly adminUrl: string
  readonly port: number
  readonly folder: string
  /** Moves its time; refuses unless the option `clock` is 'virtual'. */
  readonly clock: VenueClock
  /**
   * Sends a REST request. In this process it needs no connection: it takes a fraction of the time, and arrives at
   * the virtual clock's present time.
   */
  readonly fetch: VenueFetch
  /** By account: a key that reads and trades. */
  readonly accounts: Readonly<Record<string, ApiKey>>
  /** Rules by which it fails (docs/sandbox.md). */
  readonly faults: VenueFaults
  /**
   * Opens an account with a key, adds the key to `accounts`, sets its limits, and credits the account. An open
   * account keeps its key, takes limits that are given, and is credited again.
   */
  account(name: string, account?: NewAccount): Promise<ApiKey>
  /**
   * Has the exchange's counterparty fill a resting order at its price: '0.3' of the base asset, '30%' of the
   * order, or all that is left. Orders that stand before it in the book are filled first.
   */
  fill(order: VenueOrder, quantity?: string | number): Promise<VenueFill>
  /**
   * Has two accounts trade outside of the book, and resolves to the id of the block trade. Sent again with the same `id`,
   * it is not made again.
   */
  blockTrade(trade: VenueBlockTrade): Promise<number>
  /** What its simulated chains carry, and how they are (docs/wallet.md). */
  readonly chain: VenueChain
  /**
   * Events of orders from this call on, in order; of all accounts, or of one account or symbol:
   * for await (const event of venue.events({ account: 'bob' })).
   */
  events(of?: VenueEventsOf): VenueEvents
  /**
   * Saves the present state in the data folder, under a name of at most 32 letters, digits, _ and -
   * (docs/states.md); or as a separate folder, when a path with a separator is given, such as './funded'. Rejects for
   * one that is there: remove that state first.
   */
  save(nameOrPath: string): Promise<void>
  /** The saved states, and the folders of forks. */
  states(): Promise<readonly VenueState[]>
  /** Removes a saved state and its folder. */
  removeState(name: string): Promise<void>
  /**
   * Restores a saved state, by its name or path: ends connections, and serves on the same port again when it resolves.
   */
  load(nameOrPath: string): Promise<void>
  /**
   * Restores the state in which the first start resolved, in the same way. What began with the option `state` goes back
   * to the first content of the exchange that saved it, without orders.
   */
  reset(): Promise<void>
  /**
   * Resolves to another exchange with the present state and the same keys, on another port; this one continues. Its
   * `close` removes its folder. It closes before this one does.
   */
  fork(): Promise<EmbeddedExchange>
  /**
   * Marks the present moment, and prepares a second exchange there. A mark that was not used is dropped. Resolves to a
   * name of the mark, for `revert`.
   */
  mark(): Promise<string>
  /**
   * Goes back to a mark: ends connections, or keeps them, and serves on the same port again when it resolves, to the next
   * mark of the same moment. A mark is used once.
   */
  revert(mark: string, how?: VenueRevert): Promise<string>
  /**
   * Opens a network to this exchange, on its own port: clients that use its addresses have its conditions. Up to 64
   * side by side, such as one for REST and one for streams. `close` of the exchange closes them.
   */
  network(conditions?: VenueConditions): Promise<VenueNetwork>
  /** Stops it and frees port, handles and temporary folder. May be called again. */
  close(): Promise<void>
  /** As `close`: `await using exchange = await startExchange()`. */
  [Symbol.asyncDispose](): Promise<void>
}

export interface VenueRevert {
  /**
   * 'end' (the default): connections of clients end, as when an exchange stops. 'keep': they stay open, and clients are
   * told nothing (docs/states.md).
   */
  readonly sockets?: 'end' | 'keep'
}

export interface VenueState {
  readonly name: string
  readonly kind: 'state' | 'fork'
  /** When it was saved, by the machine's time: ISO 8601. */
  readonly moment: string
  readonly mebibytes: number
}

/** A moment, as ms since the Unix epoch, a Date, or a text with its offset: '2027-01-31T00:00:00Z'. */
export type Moment = number | Date | string
/** A length of time: ms, or a text of numbers with ms, s, m, h, d or w, such as '1h' or '1d12h'. */
export type Length = number | string

/**
 * The virtual clock of an exchange. A move runs every timer on its way at that timer's own time, and finishes what
 * it causes before the next. Moves run one after another, and resolve to the time that they reached, in ms since
 * the Unix epoch; they reject when `pause` ends them.
 */
export interface VenueClock {
  /** ms since the Unix epoch. Throws for an exchange in a child process. */
  now(): number
  pause(): Promise<void>
  /** Follows the machine's time from now on, at the set `speed`. */
  resume(): Promise<void>
  /** From 0.001 to 1,000,000; 1 at first. */
  speed(times: number): Promise<void>
  /** Moves to the time of the next timer, or by a length. */
  step(length?: Length): Promise<number>
  /** Moves by a length. */
  advance(length: Length): Promise<number>
  /** Moves to a moment, which must not be in the past. */
  advanceTo(moment: Moment): Promise<number>
}

/**
 * As fetch, of what REST needs: `target` is a path with its query, or a URL of the exchange. An aborted `signal`
 * rejects with its reason; a request that the exchange has by then is carried out.
 */
export type VenueFetch = (
  target: string,
  init?: {
    readonly method?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
    readonly signal?: AbortSignal
  },
) => Promise<Response>

/** Resolves when the exchange serves clients. Rejects with a sentence about what is wrong. */
export type StartExchange = (options?: ExchangeOptions) => Promise<EmbeddedExchange>

/** Any response about an order has both. */
export interface VenueOrder {
  readonly symbol: string
  readonly orderId: number
}

export interface VenueBlockTrade {
  readonly symbol: string
  /** Names of accounts. */
  readonly buyer: string
  readonly seller: string
  readonly price: string | number
  /** Of the base asset. */
  readonly quantity: string | number
  /** Yours: at most 36 letters, digits, and .:/_- */
  readonly id: string
  /** Share of what each side receives; 0 when left out. */
  readonly fee?: string | number
}

/** Chains, by their names, as ETH. Amounts are decimals; a network is by default that of the coin. */
export interface VenueChain {
  /** Where the account receives the coin, and with which memo; '' for none. */
  address(account: string, coin: string, chain?: string): Promise<VenueAddress>
  /** Sends an amount from outside, and resolves to the deposit, which has no confirmation yet. */
  send(transfer: VenueTransfer): Promise<VenueDeposit>
  /** Decides a withdrawal, by the id that its application returned. */
  decide(
    withdrawal: number | string,
    decision: 'confirm' | 'cancel' | 'approve' | 'reject' | 'fail',
  ): Promise<void>
  /** Makes no blocks until it is resumed. */
  stop(chain: string): Promise<void>
  resume(chain: string): Promise<void>
  /** Transfers wait for so many blocks beyond the next one; 0: none. */
  congest(chain: string, blocks: number): Promise<void>
  /** Takes back the newest blocks. Their transfers come into later ones; with `drop` those from outside are lost. */
  reorganise(chain: string, blocks: number, how?: { readonly drop?: boolean }): Promise<void>
  /** Suspends deposits and withdrawals of a coin on a chain, or one of both. */
  suspend(coin: string, chain: string, only?: 'deposits' | 'withdrawals'): Promise<void>
  /** Takes them again. */
  unsuspend(coin: string, chain: string, only?: 'deposits' | 'withdrawals'): Promise<void>
}

export interface VenueAddress {
  readonly address: string
  readonly memo: string
}

/** To an account, or to an address. */
export type VenueTransfer = {
  readonly coin: string
  readonly amount: string | number
  readonly chain?: string
  /** Yours: sent again with it, the transfer is not made again. */
  readonly id?: string
} & ({ readonly account: string } | { readonly address: string; readonly memo?: string })

export interface VenueDeposit {
  readonly id: number
  readonly account: string
  readonly coin: string
  readonly chain: string
  readonly amount: string
  /** Of the block that has it, or will. */
  readonly block: number
  readonly txId: string
}

export interface VenueFill {
  /** Whose order it is. */
  readonly account: string
  readonly symbol: string
  readonly orderId: number
  /** Decimals: what this fill traded of the order, and what the order has left. */
  readonly filled: string
  readonly left: string
  readonly status: 'PARTIALLY_FILLED' | 'FILLED'
  /** What the counterparty traded first with orders that stood before it. */
  readonly alsoTaken: string
}

export interface VenueEventsOf {
  /** Name of the account. */
  readonly account?: string
  readonly symbol?: string
}

/** What happened to an order, with the fields of executionReport by name. Amounts are decimals. */
export interface VenueEvent {
  /** Counts the events of all accounts. */
  readonly number: number
  /** ms since 1970. */
  readonly time: number
  /** Name of the account. A trade has an event for each of both orders, the taker's first. */
  readonly account: string
  readonly symbol: string
  readonly event:
    | 'NEW'
    | 'TRADE'
    | 'CANCELED'
    | 'EXPIRED'
    | 'TRADE_PREVENTION'
    | 'REPLACED'
    | 'REJECTED'
  readonly status: string
  readonly orderId: number
  /** The order's own, also where a cancel has another one. */
  readonly clientOrderId: string
  /** -1 without a list. */
  readonly orderListId: number
  readonly side: 'BUY' | 'SELL'
  readonly type: string
  readonly price: string
  readonly quantity: string
  /** The quantity filled so far. */
  readonly filled: string
  /** -1 where nothing was traded; then the next ones are zero and false. */
  readonly tradeId: number
  readonly lastQuantity: string
  readonly lastPrice: string
  readonly isMaker: boolean
  readonly commission: string
  /** '' without a commission. */
  readonly commissionAsset: string
  readonly executionId: number
}

/**
 * No event is lost: a reader that is 10,000 events behind gets an error. After `close`, or a load of another state,
 * there are no more.
 */
export interface VenueEvents extends AsyncIterableIterator<VenueEvent> {
  /** Resolves when events are recorded; in this process they are from the call on. */
  readonly ready: Promise<void>
  /** Resolves to all unread events so far, without waiting for more. */
  read(): Promise<readonly VenueEvent[]>
}

/** What one way of a network does to the bytes of each connection; nothing without any of these. */
export interface VenueWay extends VenueFaultDelay {
  /** Seed of the delays; 1 when left out. */
  readonly seed?: number
  /** Bytes a second; 0 passes nothing. */
  readonly bandwidth?: number
  /** Bytes of a piece: what is longer comes in several, at least 1 ms apart. */
  readonly slice?: number
  /** Ends each connection once it has passed so many bytes, wherever in a message that is. */
  readonly cut?: number
}

/** What a network does. Times are the machine's. */
export interface VenueConditions {
  /**
   * New connections: `accept` (the default); `refuse`, as a port on which no program listens; `silent`, accepted
   * and never answered; `reset`, accepted and reset.
   */
  readonly connect?: 'accept' | 'refuse' | 'silent' | 'reset'
  /** To the exchange. */
  readonly up?: VenueWay
  /** To the client. */
  readonly down?: VenueWay
}

/** A network between clients and an exchange. */
export interface VenueNetwork {
  /** The exchange's addresses, by this network. */
  readonly url: string
  readonly wsUrl: string
  readonly wsApiUrl: string
  readonly sbeUrl: string
  readonly port: number
  /** Open connections. */
  readonly connections: number
  /** Replaces all conditions, for open connections too; resolves once they are in force. A cut counts from here. */
  set(conditions: VenueConditions): Promise<void>
  /** Resets all open connections. */
  reset(): void
  close(): Promise<void>
}

/** Which requests or frames a rule applies to, and when; all without any of these. */
interface VenueFaultScope {
  /** Name of the rule. One of the same name is replaced; left out, it gets a name. */
  readonly name?: string
  /** Name or id of the account. */
  readonly account?: string
  /** Such as 10.0.0.0/8. */
  readonly address?: string
  readonly symbol?: string
  /** Touches every n-th match. */
  readonly every?: number
  /** Lets so many matches pass first. */
  readonly after?: number
  /** Touches a match with this probability, which follows from `seed`. */
  readonly chance?: number
  readonly seed?: number
  /** Ends after so many faults. */
  readonly times?: number
  /** Ends after so many seconds. */
  readonly seconds?: number
  /** Begins at this moment of the exchange's clock. */
  readonly from?: Moment
  /** Ends at this moment. */
  readonly until?: Moment
}

/**
 * Only requests have these. A rule that names no account, key, operation, parameter or symbol takes handshakes of WebSockets
 * and methods of streams, as SUBSCRIBE, too; with refuse, half, twice and fill it leaves them as they are.
 */
interface VenueFaultRequests {
  /** The API key. */
  readonly key?: string
  /** Pattern of operation ids, as placeOrder or *Order*. */
  readonly operation?: string
  /** A parameter and its pattern, as newClientOrderId=lost-*. */
  readonly parameter?: string
  readonly over?: 'rest' | 'streams' | 'sessions'
}

/** Only frames have these. */
interface VenueFaultFrames {
  /** Pattern of streams, as btcusdt@depth*; user for events of accounts. */
  readonly stream?: string
  /** rest has none. */
  readonly over?: 'rest' | 'streams' | 'sessions'
}

/** A time in ms, the same for all or spread. */
interface VenueFaultDelay {
  /** Needed, unless the spread is `recorded`. */
  readonly ms?: number
  readonly spread?: 'fixed' | 'uniform' | 'lognormal' | 'recorded'
  /** The longest. */
  readonly most?: number
  /** The sigma of `lognormal`, whose median is ms. */
  readonly sigma?: number
  /** The buckets of `recorded`: ms:count of each, as 5:120 10:300 200:3. */
  readonly histogram?: string
}

/** By `do`: the fields of each effect. */
export interface VenueFaultEffects {
  readonly answer: VenueFaultRequests & {
    readonly status: number
    readonly code?: number
    readonly message?: string
    readonly retry?: number
  }
  readonly forbid: VenueFaultRequests
  readonly limit: VenueFaultRequests & { readonly retry?: number }
  readonly ban: VenueFaultRequests & { readonly retry?: number }
  readonly proxy: VenueFaultRequests & { readonly status?: number; readonly retry?: number }
  readonly refuse: VenueFaultRequests & {
    readonly reason:
      | 'INSUFFICIENT_BALANCE'
      | 'DUPLICATE_ORDER'
      | 'MARKET_CLOSED'
      | 'WOULD_MATCH_IMMEDIATELY'
      | 'WOULD_TRIGGER_IMMEDIATELY'
      | 'BOOK_FULL'
      | 'ACCOUNT_DISABLED'
      | 'UNKNOWN_ORDER'
      | 'CANCEL_RESTRICTED'
      | 'FILTER_FAILURE'
      | 'NOT_OPEN_FOR_WITHDRAWAL'
      | 'WITHDRAWAL_LIMITED'
      | 'WITHDRAWAL_EXCEEDS_BALANCE'
      | 'WITHDRAWALS_OF_DAY'
      | 'NO_DEPOSIT_ADDRESS'
    readonly filter?: string
  }
  readonly unknown: VenueFaultRequests & {
    /** 500 to 599; 504. */
    readonly status?: number
    readonly code?: number
    readonly message?: string
    readonly body?: 'json' | 'html'
  }
  /** With way in it is not executed. */
  readonly cut: VenueFaultRequests & { readonly way?: 'in' | 'out' }
  /** With way in it is not executed. The connection ends after ms, 60,000. */
  readonly silence: VenueFaultRequests & { readonly way?: 'in' | 'out'; readonly ms?: number }
  readonly half: VenueFaultRequests
  readonly twice: VenueFaultRequests
  readonly delay: VenueFaultRequests & VenueFaultDelay & { readonly way?: 'in' | 'out' }
  readonly fill: VenueFaultRequests & {
    /** 0.3 of the base asset, or 30% of the order. */
    readonly quantity: string
    /** When each of equal steps is filled, ms after the answer, as 100,500,2000. */
    readonly moments: string
  }
  readonly halt: {
    readonly symbol: string
    readonly key?: string
    readonly state?: 'HALT' | 'BREAK' | 'CANCEL_ONLY'
  }
  readonly skew: VenueFaultRequests & { readonly ms: number }
  readonly close: VenueFaultFrames & { readonly code?: number; readonly message?: string }
  readonly lag: VenueFaultFrames & VenueFaultDelay
  readonly stall: VenueFaultFrames & { readonly ms: number }
  readonly drop: VenueFaultFrames
  readonly duplicate: VenueFaultFrames
  readonly expire: VenueFaultFrames
  readonly deaf: { readonly ms?: number }
  readonly reset: object
  readonly tear: VenueFaultFrames
  readonly shutdown: VenueFaultFrames
}

/** A rule: { do: 'unknown', parameter: 'newClientOrderId=lost-*' }. docs/sandbox.md describes each. */
export type VenueFault = {
  readonly [Effect in keyof VenueFaultEffects]: VenueFaultScope & {
    readonly do: Effect
  } & VenueFaultEffects[Effect]
}[keyof VenueFaultEffects]

/** A rule as lists show it. */
export interface VenueFaultRow {
  readonly name: string
  readonly do: string
  /** Its other fields, such as `operation=placeOrder every=3`. */
  readonly rule: string
  /** Requests or frames that it is for. */
  readonly matches: number
  /** Matches that it touched. */
  readonly touched: number
  readonly isOver: boolean
}

export interface VenueFaults {
  /** Resolves to the name of the rule, which is in force then. */
  add(fault: VenueFault): Promise<string>
  list(): Promise<readonly VenueFaultRow[]>
  /** Rejects, with the names, when one of these rules (all when left out) has touched nothing. */
  expectTouched(names?: readonly string[]): Promise<void>
  /** Removes a rule by its name, or all by 'all'. */
  remove(name: string): Promise<void>
  /** Adds the rules of a TOML file, all or none. */
  apply(toml: string): Promise<void>
}
