/**
 * Sessions of the WebSocket API for benchmarks: demo accounts with one Ed25519 key more each, and a plan
 * of what they ask for (native-bench/load/session-plan.h draws its form).
 */
import { generateKeyPairSync, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { Prng } from '../../src/base/prng.ts'
import { Ms } from '../../src/base/units.ts'
import { demoFacts } from '../../src/control/demo.ts'
import { Vault } from '../../src/control/vault.ts'
import { ControlStore } from '../../src/journal/control-store.ts'
import { type SessionKey, SYMBOL } from './workload.ts'

/** Where sessions connect. Their answers say nothing of limits. */
export const SESSIONS_PATH = '/ws-api/v3?returnRateLimits=false'

/** A logon is signed when the plan is written, and sent soon after. */
const LOGON_WINDOW_MS = 60_000
const SEED = 0x53_45
const MIDDLE_TICKS = 5_000_000
/** Within so few ticks of the middle, two orders of different sides mostly meet. */
const MEETING_TICKS = 5
const LOTS = [20, 100] as const

/** An Ed25519 key of a demo account. */
export class EdKey {
  readonly account: string
  readonly apiKey: string
  private readonly pair = generateKeyPairSync('ed25519')

  constructor(account: string) {
    this.account = account
    this.apiKey = account.padEnd(64, '0')
  }

  get publicKey(): string {
    return this.pair.publicKey.export({ type: 'spki', format: 'pem' }) as string
  }

  /** Signed now. */
  session(): SessionKey {
    const params = { apiKey: this.apiKey, recvWindow: LOGON_WINDOW_MS, timestamp: Ms(Date.now()) }
    const payload = Object.entries(params).map(([name, value]) => `${name}=${value}`)
    const signature = sign(null, Buffer.from(payload.join('&')), this.pair.privateKey)
    const signed = { ...params, signature: signature.toString('base64') }
    return { logon: JSON.stringify({ id: 0, method: 'session.logon', params: signed }) }
  }
}

/** Fills a data folder: the demo's facts, and one more key for each of these accounts. */
export function stageSessions(data: string, ...edKeys: readonly EdKey[]): void {
  const vault = Vault.open(path.join(data, 'secret.key'), true)
  const { facts, keys } = demoFacts(vault, Ms(Date.now()))
  writeFileSync(path.join(data, 'demo-keys.json'), JSON.stringify(keys))
  const rights = { fact: 'key', kind: 'ED25519', canRead: true, canTrade: true } as const
  const more = edKeys.map(({ account, apiKey, publicKey }) => {
    const owner = facts.find((it) => it.fact === 'account' && it.name === account) as { id: number }
    return { ...rights, account: owner.id, apiKey, publicKey }
  })
  const control = ControlStore.open(data)
  control.appendAll([...facts, ...more])
  control.close()
}

/**
 * `count` orders of two sessions, each on both sides within a few ticks: what rests is soon met, however
 * many of them are refused, and whichever.
 */
export function meetingPlan(keys: readonly [SessionKey, SessionKey], count: number): string {
  const prng = new Prng(SEED)
  const orders = Array.from({ length: count }, (_, i) => {
    const ticks = MIDDLE_TICKS + prng.between(-MEETING_TICKS, MEETING_TICKS)
    const order = {
      symbol: SYMBOL,
      side: prng.pick(['BUY', 'SELL']),
      type: 'LIMIT',
      timeInForce: 'GTC',
      price: (ticks / 100).toFixed(2),
      quantity: (prng.between(...LOTS) / 100_000).toFixed(5),
    }
    const params = JSON.stringify(order).replace('}', ',"timestamp":$now}')
    return `${i % keys.length}\t{"id":1,"method":"order.place","params":${params}}`
  })
  return `${[...keys.map(({ logon }) => `logon\t${logon}`), ...orders].join('\n')}\n`
}
