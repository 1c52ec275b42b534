/** Sessions of the WebSocket API: logon, subscriptions, orders that end with it; and frames of every form. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { RecordedSocket } from './recorded-socket.ts'
import type { Params, Stage } from './stage.ts'

const order = { symbol: 'ETHUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: 1 }

/** Frames that are no good request. */
const frames = [
  '',
  'x',
  '[]',
  '{}',
  '{"id":1}',
  '{"id":1,"method":5}',
  '{"id":1,"method":"nothing"}',
  '{"id":1,"method":"v3/ping"}',
  '{"id":1,"method":"ping","params":null}',
  '{"id":1,"method":"ping","params":[]}',
  '{"id":1,"method":"ping","params":5}',
  '{"id":1,"method":"ping","params":{}}',
  '{"method":"ping"}',
  '{"id":null,"method":"ping"}',
  '{"id":{},"method":"ping"}',
  '{"id":1.5,"method":"ping"}',
  '{"id":-7,"method":"ping"}',
  '{"id":"\\u00e4\\"","method":"ping"}',
  `{"id":"${'x'.repeat(1_001)}","method":"ping"}`,
  '{"id":99999999999999999999,"method":"time","params":{"returnRateLimits":false}}',
  '{"id":1,"method":"depth","params":{"symbol":"BTCUSDT","limit":"5"}}',
  '{"id":1,"method":"depth","params":{"symbol":"BTCUSDT","limit":{}}}',
  '{"id":1,"method":"depth","params":{"symbol":"BTCUSDT","symbol":"BTCUSDT"}}',
  '{"id":1,"method":"depth","params":{"symbol":"\\u0042TCUSDT"}}',
  '{"id":1,"method":"depth","params":{"symbol":"BTCUSDT"},"other":[1,{"a":null}]}',
  '{"id":1,"method":"ticker.price","params":{"symbols":["BTCUSDT","ETHUSDT"]}}',
  '{"id":1,"method":"exchangeInfo","params":{"permissions":["SPOT"],"showPermissionSets":false}}',
  '{"id":1,"method":"ping"}x',
  `{"id":1,"method":"ping","params":{"long":"${'y'.repeat(3_000)}"}}`,
  `{"id":1,"method":"depth","params":{"symbol":"BTCUSDT","symbols":"${'y'.repeat(3_000)}"}}`,
]

export async function recordSessions(stage: Stage): Promise<void> {
  const socket = await stage.socket('/ws-api/v3')
  for (const frame of frames) {
    stage.note(`frame ${frame.slice(0, 120)}`)
    await socket.ask(frame)
  }
  await recordConnecting(stage)
  await recordLogon(stage)
  await recordEnding(stage)
}

async function recordConnecting(stage: Stage): Promise<void> {
  for (const query of ['?timeUnit=MICROSECOND', '?returnRateLimits=false']) {
    stage.note(`# ws-api ${query}`)
    const socket = await stage.socket(`/ws-api/v3${query}`)
    for (const method of ['time', 'session.status']) {
      await socket.ask(`{"id":1,"method":"${method}"}`)
    }
  }
  const upgrade = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  }
  stage.note('# ws-api in no unit')
  await stage.http('GET', '/ws-api/v3?timeUnit=x', upgrade)
}

/** A key of the admin server, which logs on by Ed25519. */
async function logonKey(stage: Stage) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const token = readFileSync(path.join(stage.exchange.data, 'operator-token'), 'utf8').trim()
  const response = await fetch(`http://127.0.0.1:${stage.exchange.adminPort}/actions/key-create`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: JSON.stringify({
      account: 'trader1',
      kind: 'ED25519',
      'public-key': publicKey.export({ type: 'spki', format: 'pem' }),
    }),
  })
  const { rows } = (await response.json()) as { rows: { apiKey: string }[] }
  return { apiKey: rows[0]!.apiKey, privateKey }
}

async function recordLogon(stage: Stage): Promise<void> {
  const { apiKey, privateKey } = await logonKey(stage)
  const socket = await stage.socket('/ws-api/v3')
  let id = 0
  const ask = async (method: string, params: Params = {}) => {
    await stage.clock.advance(3)
    stage.note(`${method} ${JSON.stringify(params)}`)
    await socket.ask(JSON.stringify({ id: ++id, method, params }))
    await writeEvents(socket)
  }
  const logon = async (apiKey: string, isGood = true) => {
    const timestamp = stage.clock.nowMs()
    const payload = Buffer.from(`apiKey=${apiKey}&timestamp=${timestamp}`)
    const signature = sign(null, payload, privateKey).toString('base64')
    stage.note(`session.logon ${isGood}`)
    const params = { apiKey, timestamp, signature: isGood ? signature : `${signature}x` }
    await socket.ask(JSON.stringify({ id: ++id, method: 'session.logon', params }))
  }
  const hmac = stage.key('trader1')
  await ask('session.status')
  await ask('userDataStream.subscribe')
  await ask('order.place', { ...order, price: 1_900, timestamp: stage.clock.nowMs() })
  await logon(apiKey, false)
  stage.note('session.logon by HMAC')
  const byHmac = stage.signed({}, hmac)
  await socket.ask(JSON.stringify({ id: ++id, method: 'session.logon', params: byHmac }))
  await logon(apiKey)
  await ask('session.status')
  await ask('userDataStream.subscribe')
  await ask('userDataStream.subscribe')
  const now = () => ({ timestamp: stage.clock.nowMs() })
  for (const price of [1_900, 2_000]) await ask('order.place', { ...order, price, ...now() })
  await ask('account.status', { omitZeroBalances: 'true', ...now() })
  await ask('account.status', { timestamp: stage.clock.nowMs() - 60_000 })
  await ask('account.status', { timestamp: stage.clock.nowMs() - 30, recvWindow: 5_000 })
  await ask('account.status', stage.signed({}, stage.key('trader2')))
  await ask('userDataStream.subscribe.signature', stage.signed({}, stage.key('trader2')))
  await ask('session.subscriptions')
  await ask('userDataStream.unsubscribe', { subscriptionId: 0 })
  await ask('userDataStream.unsubscribe', { subscriptionId: 77 })
  await ask('session.subscriptions')
  await ask('openOrders.cancelAll', { symbol: 'ETHUSDT', ...now() })
  await ask('session.logout')
  await ask('session.status')
  await ask('account.status', now())
  await ask('userDataStream.unsubscribe')
  await logon(apiKey)
  await ask('userDataStream.subscribe')
  await stage.act('key-revoke', { key: apiKey })
  await ask('session.status')
  await ask('account.status', now())
  await ask('session.status')
}

/** Orders that end with the connection. */
async function recordEnding(stage: Stage): Promise<void> {
  const key = stage.key('trader2')
  const socket = await stage.socket('/ws-api/v3')
  const watcher = await stage.socket('/ws-api/v3')
  const ask = (method: string, params: Params = {}) => {
    stage.note(`${method} ${JSON.stringify(Object.keys(params))}`)
    return socket.ask(JSON.stringify({ id: 1, method, params }))
  }
  await watcher.ask(
    JSON.stringify({
      id: 1,
      method: 'userDataStream.subscribe.signature',
      params: stage.signed({}, key),
    }),
  )
  for (const params of [
    ...[{}, { enabled: 'x' }, { enabled: 'false', heartbeatMs: 5_000 }],
    ...[
      { enabled: 'true', heartbeatMs: 10 },
      { enabled: 'true', heartbeatMs: 60_000 },
    ],
    ...[{ enabled: 'false' }, { enabled: 'true' }],
  ]) {
    await ask('session.cancelOnDisconnect', params)
  }
  for (const price of [1_800, 1_850]) {
    await ask('order.place', stage.signed({ ...order, price }, key))
  }
  await writeEvents(watcher)
  socket.close()
  await watcher.heard((frame) => frame.includes('CANCELED'), 2)
  await writeEvents(watcher)
}

const writeEvents = (socket: RecordedSocket): Promise<void> =>
  socket.write('event', '"method":"session.subscriptions"')
