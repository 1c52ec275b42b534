/** A week of false time on the whole exchange on one event loop: its archive has the week's klines. */
import { createHmac } from 'node:crypto'
import pino from 'pino'
import { expect, test } from 'vitest'
import { assemble } from '../../../src/assembly/assemble.ts'
import { openAccounts } from '../../../src/assembly/embedded-accounts.ts'
import { embeddedConfig } from '../../../src/assembly/embedded-config.ts'
import { openEmbeddedFolder } from '../../../src/assembly/embedded-folder.ts'
import { claimFreePort } from '../../../src/assembly/free-port.ts'
import { onOneLoop } from '../../../src/assembly/loop/one-loop.ts'
import { ManualClock, ManualTime } from '../../../src/base/manual-time.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import { Ms } from '../../../src/base/units.ts'
import { realSockets } from '../../../src/gateway/server.ts'
import { HOUR_MS } from '../../../src/market/intervals.ts'
import { WarningLog } from '../../../src/telemetry/warning-log.ts'

const MONDAY_MS = Ms(Date.UTC(2026, 0, 5))
const HOURS = 7 * 24

test('a week of trades, one each hour, is in the klines of the archive', async ({
  onTestFinished,
}) => {
  const real = new RealTime()
  const time = new ManualTime(new ManualClock(MONDAY_MS), real)
  const folder = openEmbeddedFolder(undefined)
  const [claim, admin] = await Promise.all([claimFreePort(), claimFreePort()])
  const ports = { port: claim.port, adminPort: admin.port }
  const config = embeddedConfig({}, { data: folder.path, ...ports })
  const failures: Error[] = []
  const exchange = assemble({
    ...{ config, time, log: pino({ level: 'silent' }), warnings: new WarningLog() },
    events: { started: () => {}, failed: (error) => failures.push(error), stopWanted: () => {} },
    takeFolder: async () => ({ close: () => {} }),
    workers: onOneLoop(realSockets),
  })
  const running = await exchange.start()
  onTestFinished(async () => {
    const following = time.run(1, real)
    await running.stop()
    following.cancel()
    await Promise.all([claim.close(), admin.close()])
    folder.remove()
  })
  const accounts = await openAccounts(running.executor, folder.path, {})
  const [maker, taker] = Object.values(accounts)
  expect([maker, taker]).not.toContain(undefined)
  const url = `http://127.0.0.1:${claim.port}`
  const order = async (account: typeof maker, side: string, price: number) => {
    const { apiKey, secretKey } = account!
    const query = new URLSearchParams({
      ...{ symbol: 'BTCUSDT', side, type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01000' },
      ...{ price: price.toFixed(2), timestamp: String(time.nowMs()) },
    }).toString()
    const signature = createHmac('sha256', secretKey).update(query).digest('hex')
    const answer = await fetch(`${url}/api/v3/order?${query}&signature=${signature}`, {
      method: 'POST',
      headers: { 'X-MBX-APIKEY': apiKey },
    })
    return (await answer.json()) as { readonly status?: string }
  }
  for (let hour = 0; hour < HOURS; hour++) {
    await order(maker, 'SELL', 50_000 + hour)
    expect(await order(taker, 'BUY', 50_000 + hour)).toMatchObject({ status: 'FILLED' })
    time.advance(HOUR_MS)
  }
  const answer = await fetch(`${url}/api/v3/klines?symbol=BTCUSDT&interval=1h&limit=1000`)
  const klines = (await answer.json()) as readonly (readonly unknown[])[]
  // Without the hour that has just begun.
  const whole = klines.slice(0, HOURS)
  expect(whole.map(([openMs, open]) => [openMs, Number(open)])).toEqual(
    Array.from({ length: HOURS }, (_, hour) => [MONDAY_MS + hour * HOUR_MS, 50_000 + hour]),
  )
  expect(failures).toEqual([])
}, 120_000)
