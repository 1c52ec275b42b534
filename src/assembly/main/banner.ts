/** What a person sees at the start: addresses, keys, and one order to paste into another terminal. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { settings } from '../../config/settings.ts'
import { TOKEN_FILE } from '../../control/token.ts'
import { DEMO_KEYS } from './open-folder.ts'

export interface BannerFields {
  readonly version: string
  readonly scheme: 'http' | 'https'
  readonly host: string
  readonly port: number
  readonly adminPort: number
  readonly data: string
  /** PEM file; '' without TLS. */
  readonly tlsCert: string
  readonly symbols: readonly string[]
  /** Symbols in which the market maker quotes. */
  readonly quoted: readonly string[]
  readonly sandbox: 'on' | 'off'
  readonly clock: 'real' | 'virtual'
  /** What runs this program in another terminal of the same folder. */
  readonly command: string
}

/** The demo's account that the order to paste is of, and its place in the key file. */
const BUYER = 'taker'
const BUYER_PLACE = 1
const LABEL_WIDTH = 16

/** Returns the text, with an empty line before and behind. */
export function bannerText(fields: BannerFields): string {
  const { version, scheme, port, adminPort, data, symbols, command } = fields
  const where = whereText(fields)
  const client = `${hostOf(fields.host)}:${port}`
  const sockets = `${scheme === 'https' ? 'wss' : 'ws'}://${client}`
  const keys = path.resolve(data, DEMO_KEYS)
  const hasKeys = existsSync(keys)
  const rows: readonly (readonly [label: string, text: string])[] = [
    ['Console', `${scheme}://${client}/`],
    ['REST', `${scheme}://${client}/api/v3`],
    ['Streams', `${sockets}/ws, ${sockets}/stream`],
    ['WebSocket API', `${sockets}/ws-api/v3`],
    ['Documentation', `${scheme}://${client}/docs`],
    ['Operators', `http://127.0.0.1:${adminPort}/`],
    ['', `its token: ${path.resolve(data, TOKEN_FILE)}`],
    ['Commands', `${command} help`],
    ['', `${command} status${where}`],
    ['Keys', hasKeys ? keys : `none yet: account-open NAME, then key-create NAME`],
    ['Liquidity', liquidityText(fields)],
    ['Sandbox', sandboxText(fields)],
  ]
  const table = rows.map(([label, text]) => `  ${label.padEnd(LABEL_WIDTH)}${text}\n`).join('')
  const symbol = fields.quoted[0] ?? symbols[0]
  const order = hasKeys && symbol !== undefined ? orderText(fields, client, keys, symbol) : ''
  return `\nRingbook ${version} is open.\n\n${table}${order}\nControl-C stops it.\n\n`
}

function sandboxText({ sandbox, clock, command }: BannerFields): string {
  if (sandbox === 'off') return 'off; --sandbox on makes it fail on request (docs/sandbox.md)'
  const faults = `on, with faults by rules: ${command} fault-add --help`
  return clock === 'real' ? faults : `${faults}; its clock is virtual: ${command} clock-show`
}

function liquidityText({ symbols, quoted }: BannerFields): string {
  if (quoted.length === 0) return "none: books have only clients' orders"
  const where = quoted.length === symbols.length ? 'all symbols' : quoted.join(', ')
  return `built-in market makers quote and trade in ${where} (--liquidity off)`
}

/** The flags by which a command in another terminal finds this exchange; '' on the defaults. */
function whereText({ data, adminPort }: BannerFields): string {
  const isUsual = path.resolve(data) === path.resolve(settings.data.default)
  const folder = isUsual ? '' : ` --data ${quoted(data)}`
  return adminPort === settings.adminPort.default ? folder : `${folder} --admin-port ${adminPort}`
}

/** Returns a text as a shell takes it. */
const quoted = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** A market order where the market maker quotes, or else a limit order that rests. */
function orderText(fields: BannerFields, client: string, keys: string, symbol: string): string {
  const terms = fields.quoted.includes(symbol)
    ? 'side=BUY&type=MARKET&quantity=0.001'
    : 'side=BUY&type=LIMIT&timeInForce=GTC&quantity=0.001&price=50000'
  const file = quoted(keys)
  const field = (name: string) =>
    `$(node -p 'require(process.argv[1])[${BUYER_PLACE}].${name}' ${file})`
  const trust = fields.tlsCert === '' ? '' : ` --cacert '${path.resolve(fields.tlsCert)}'`
  const lines = [
    `key=${field('apiKey')}`,
    `secret=${field('secretKey')}`,
    `order="symbol=${symbol}&${terms}&timestamp=$(date +%s000)"`,
    `signature=$(printf '%s' "$order" | openssl dgst -sha256 -hmac "$secret" | sed 's/.* //')`,
    `curl${trust} -X POST -H "X-MBX-APIKEY: $key" ` +
      `"${fields.scheme}://${client}/api/v3/order?$order&signature=$signature"`,
  ]
  const pasted = lines.map((line) => `${line}\n`).join('')
  return `\nAn order of the account ${BUYER}, to paste into another terminal:\n\n${pasted}`
}

/** Returns the URL that clients on this machine reach the exchange by. */
export const clientUrl = ({ scheme, host, port }: Pick<BannerFields, 'scheme' | 'host' | 'port'>) =>
  `${scheme}://${hostOf(host)}:${port}`

/** The address to connect to: an exchange on all addresses is also on the loopback one. */
function hostOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
