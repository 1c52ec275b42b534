/** The address `/`: names what the port serves, as JSON or as a page for browsers. */
import { OPENAPI_PATH } from './document.ts'

export const FRONT_PATH = '/'
/** The build makes this page (scripts/site). */
const PAGE_PATH = '/docs'

/** Paths of this port. WebSocket addresses begin with ws:// or wss:// instead of http:// or https://. */
const addresses = {
  documentation: PAGE_PATH,
  openapi: OPENAPI_PATH,
  rest: '/api/v3',
  wallet: '/sapi',
  streams: '/ws',
  combinedStreams: '/stream?streams=',
  streamsInSbe: '/sbe/ws',
  webSocketApi: '/ws-api/v3',
} as const

const meanings: Readonly<Record<keyof typeof addresses, string>> = {
  documentation: 'The documents: every operation, error and stream, to read and to try',
  openapi: 'The same for programs (OpenAPI 3.1)',
  rest: 'REST: market data and trading',
  wallet: 'REST: accounts and wallets',
  streams: 'WebSocket: streams, subscribed by messages or by path',
  combinedStreams: 'WebSocket: streams by their names, joined by slashes',
  streamsInSbe: 'WebSocket: streams in SBE, for an Ed25519 key',
  webSocketApi: 'WebSocket: requests and responses',
}

/** Paths that a browser can open. */
const LINKED: readonly string[] = [PAGE_PATH, OPENAPI_PATH]

export const frontText = (): string => JSON.stringify({ name: 'Ringbook', ...addresses })

export function frontPage(): string {
  const rows = Object.entries(addresses).map(([name, path]) => {
    const text = LINKED.includes(path) ? `<a href="${path}">${path}</a>` : `<code>${path}</code>`
    return `<tr><td>${text}</td><td>${meanings[name as keyof typeof addresses]}</td></tr>`
  })
  const style =
    ':root { color-scheme: light dark } td { padding: 0.3rem 1.5rem 0.3rem 0 } ' +
    'body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 3rem auto; padding: 0 1rem }'
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" ' +
    `content="width=device-width"><title>Ringbook</title><style>${style}</style></head><body>` +
    '<h1>Ringbook</h1><p>A spot exchange that every Binance client already speaks. It serves:</p>' +
    `<table>${rows.join('')}</table></body></html>`
  )
}
