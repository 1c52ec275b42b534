/** The package's programming interface: an exchange within another program (docs/embedding.md). */
import type { StartExchange } from './assembly/options.ts'

export type {
  ApiKey,
  EmbeddedExchange,
  ExchangeOptions,
  Funds,
  SettingValue,
  StartExchange,
  VenueEvent,
  VenueEvents,
  VenueEventsOf,
  VenueFault,
  VenueFaultEffects,
  VenueFaultRow,
  VenueFaults,
  VenueFill,
  VenueOrder,
} from './assembly/options.ts'

/** As the setting header-bytes. uWebSockets.js reads it once, when a process loads it. */
const HEADER_BYTES = 32_768

export const startExchange: StartExchange = async (options = {}) => {
  if (options.process === 'child') {
    const { startChild } = await import('./assembly/in-child.ts')
    return startChild(options)
  }
  const { 'header-bytes': headerBytes = HEADER_BYTES } = options.settings ?? {}
  process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= String(headerBytes)
  const { startHere } = await import('./assembly/in-this-process.ts')
  return startHere(options)
}
