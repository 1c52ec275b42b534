/** Asking for a WebSocket where the answer may be a refusal. */
import { type IncomingMessage, request } from 'node:http'

/** The answer to an attempt to open a WebSocket, which is then dropped. */
export function upgrade(url: string, path: string): Promise<IncomingMessage> {
  const headers = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    'Sec-WebSocket-Version': '13',
  }
  return new Promise((resolve, reject) => {
    const asked = request(`${url}${path}`, { headers }, resolve).on('error', reject)
    asked.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve(response)
    })
    asked.end()
  })
}
