/** What every gateway of an exchange has done, which no client can choose between. */
import http from 'node:http'
import type { DemoKey, ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { eventually } from '../fixtures/eventually.ts'

/** How many commands each gateway has sent. */
export async function commandsOf({ adminPort }: ExchangeProcess): Promise<number[]> {
  const response = await fetch(`http://127.0.0.1:${adminPort}/counters`)
  const rows = (await response.json()) as { scope: string; name: string; value: number }[]
  return rows
    .filter((row) => row.scope === 'gateway' && row.name === 'commands')
    .map((row) => row.value)
}

/**
 * Resolves when every gateway has read all that happened before: a client that listens from now on, at
 * whichever gateway, receives nothing of it. For this each of them is made to answer, from every matcher,
 * what the key's account has open: the answer comes behind the events before it.
 */
export async function readByEveryGateway(exchange: ExchangeProcess, key: DemoKey): Promise<void> {
  const client = new SignedClient(exchange.url, key, () => exchange.nowMs())
  const before = await commandsOf(exchange)
  await eventually('an answer of every gateway', async () => {
    await askAnew(`${exchange.url}/api/v3/openOrders?${client.sign({})}`, key.apiKey)
    const now = await commandsOf(exchange)
    return now.every((count, gateway) => count > before[gateway]!) || undefined
  })
}

/** Over a separate connection, whose gateway the kernel chooses. Resolves once it is answered. */
function askAnew(url: string, apiKey: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { agent: false, headers: { 'X-MBX-APIKEY': apiKey } }
    const request = http.get(url, options, (response) => {
      response.resume()
      response.once('end', () => {
        if (response.statusCode === 200) resolve()
        else reject(new Error(`${url} was answered ${response.statusCode}`))
      })
    })
    request.once('error', reject)
  })
}
