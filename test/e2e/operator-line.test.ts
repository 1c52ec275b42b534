/** Runs the manual's command lines as they stand there; and moves money while orders trade. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'
import { operate } from './command-line.ts'

const root = path.resolve(import.meta.dirname, '../..')
let exchange: ExchangeProcess | undefined

afterEach(() => exchange?.remove())

test('the lines of the manual do what they say', async () => {
  exchange = await ExchangeProcess.start(FEW_THREADS)
  const { data, adminPort } = exchange
  const page = readFileSync(path.join(root, 'docs/operate.md'), 'utf8')
  const [, block] = /```sh\n([\s\S]*?)```/.exec(page) ?? []
  const where = `--data '${data}' --admin-port ${adminPort}`
  const npx = `npx() { shift; '${process.execPath}' '${root}/dist/src/main.js' "$@" ${where}; }`
  const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) => {
    execFile('bash', ['-ec', `${npx}\n${block}`], (error, stdout, stderr) =>
      resolve({ code: error?.code, output: stdout + stderr }),
    )
  })
  expect(code, output).toBeUndefined()
  expect(output).toContain('Every asset adds up.')
  expect(await exchange.ended()).toMatchObject({ code: 0, signal: null })
  await exchange.run()
  const info = await fetch(`${exchange.url}/api/v3/exchangeInfo?symbol=DOGEUSDT`)
  expect(await info.json()).toMatchObject({ symbols: [{ symbol: 'DOGEUSDT', status: 'TRADING' }] })
})

test('a data folder says where its exchange listens, while it runs', async () => {
  exchange = await ExchangeProcess.start(FEW_THREADS)
  const { data } = exchange
  const file = path.join(data, 'admin-port')
  const status = () =>
    new Promise<string>((resolve) => {
      const args = [path.join(root, 'dist/src/main.js'), 'status', '--data', data]
      execFile(process.execPath, args, (_, stdout, stderr) => resolve(stdout + stderr))
    })
  expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`^${exchange.adminPort} \\d+\n$`))
  expect(await status()).toContain('disk free')
  await exchange.stop('SIGKILL')
  // The port's present owner is not called.
  expect(await status()).toContain(`No exchange runs on ${data}: its process `)
  await exchange.run()
  expect(await status()).toContain('disk free')
  await exchange.stop()
  expect(existsSync(file)).toBe(false)
})

test('withdrawals and locks between orders never take what is not free', async () => {
  exchange = await ExchangeProcess.start(['--durability', 'committed'])
  const { trader1, trader2 } = exchange.keys()
  const clients = [trader1, trader2].map((key) => new SignedClient(exchange!.url, key!))
  let isOver = false
  const trade = async (client: SignedClient, side: string): Promise<void> => {
    for (let i = 0; !isOver; i++) {
      const symbol = i % 2 === 0 ? 'BTCUSDT' : 'ETHBTC'
      const price = symbol === 'BTCUSDT' ? 30_000 : 0.05
      const order = { symbol, side, type: 'LIMIT', timeInForce: 'GTC', quantity: 1, price }
      await client.send('POST', '/api/v3/order', order)
      if (i % 5 === 0) await client.send('DELETE', '/api/v3/openOrders', { symbol })
    }
  }
  const trading = [trade(clients[0]!, 'BUY'), trade(clients[1]!, 'SELL')]
  const token = readFileSync(path.join(exchange.data, 'operator-token'), 'utf8').trim()
  const action = async (name: string, given: object): Promise<boolean> => {
    const response = await fetch(`http://127.0.0.1:${exchange!.adminPort}/actions/${name}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify(given),
    })
    return response.ok
  }
  let withdrawn = 0
  let refused = 0
  try {
    for (let i = 0; i < 60; i++) {
      const given = { account: 'trader2', asset: 'BTC', amount: '163' }
      if (i % 3 === 2) await action('lock', { ...given, amount: '1' })
      else if (await action('withdraw', { ...given, yes: true })) withdrawn++
      else refused++
    }
  } finally {
    isOver = true
    await Promise.all(trading)
  }
  expect(withdrawn).toBeGreaterThan(0)
  expect(refused).toBeGreaterThan(0)
  const before = [await operate(exchange, 'audit'), await operate(exchange, 'balances', 'trader2')]
  await exchange.stop('SIGKILL')
  await exchange.run()
  expect([
    await operate(exchange, 'audit'),
    await operate(exchange, 'balances', 'trader2'),
  ]).toEqual(before)
})
