/** The package's programming interface: an exchange within another program (docs/embedding.md). */
import { AsyncResource } from 'node:async_hooks'
import type { StartExchange } from './assembly/options.ts'

export type {
  AccountLimits,
  ApiKey,
  EmbeddedExchange,
  ExchangeOptions,
  Funds,
  NewAccount,
  StartExchange,
  VenueAddress,
  VenueBlockTrade,
  VenueChain,
  VenueClock,
  VenueConditions,
  VenueDeposit,
  VenueEvent,
  VenueEvents,
  VenueEventsOf,
  VenueFault,
  VenueFaultEffects,
  VenueFaultRow,
  VenueFaults,
  VenueFill,
  VenueNetwork,
  VenueOrder,
  VenueRevert,
  VenueState,
  VenueTransfer,
  VenueWay,
} from './assembly/options.ts'
export type { ExchangeSettings } from './assembly/settings.gen.ts'

/** The setting header-bytes. uWebSockets.js reads it once, when a process loads it. */
const HEADER_BYTES = 32_768

/** Here no test or hook is running: node:test takes `after` for the one from which it is called. */
const atImport = new AsyncResource('ringbook')

export const startExchange: StartExchange = async (options = {}) => {
  const exchange = await start(options)
  try {
    atImport.runInAsyncScope(() => options.exit?.(() => exchange.close()))
  } catch (error) {
    await exchange.close()
    throw error
  }
  return exchange
}

const start: StartExchange = async (options = {}) => {
  if (options.process === 'child') {
    const { startChild } = await import('./assembly/in-child.ts')
    return startChild(options)
  }
  const { 'header-bytes': headerBytes = HEADER_BYTES } = options.settings ?? {}
  process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= String(headerBytes)
  const { startHere } = await import('./assembly/in-this-process.ts')
  return startHere(options)
}
