/**
 * Forms that send an operation's request to the exchange that served the page. What changes orders goes as a frame
 * of the WebSocket API, which a browser never sends again.
 */
import { type Params, queryOf, type Reply, send } from '../net/api.ts'
import { ApiError } from '../net/api-error.ts'
import { serverNowMs } from '../net/server-clock.ts'
import type { SocketState } from '../net/socket.ts'
import { RECV_WINDOW_MS, Session } from '../trade/session.ts'
import { pageKey } from './page-key.ts'

export function beginForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-path]')) {
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void answer(form)
    })
  }
}

async function answer(form: HTMLFormElement): Promise<void> {
  const output = form.querySelector('.response')!
  output.textContent = 'Sent …'
  try {
    const { body, headers } = await ask(form)
    const weight = headers.get('X-MBX-USED-WEIGHT-1M')
    const head = `200${weight === null ? '' : `, weight used in this minute: ${weight}`}`
    output.replaceChildren(line(head), block(body))
  } catch (error) {
    output.replaceChildren(...faultOf(error as Error))
  }
}

function ask(form: HTMLFormElement): Promise<Reply<unknown>> {
  const { method = 'GET', path = '', call, key } = form.dataset
  const params = Object.fromEntries(new FormData(form)) as Params
  if (call !== undefined) return sendFrame(call, params)
  if (key === 'signed') return sendSigned(method, path, params)
  const headers: Record<string, string> = key === 'key' ? { 'X-MBX-APIKEY': pageKey().apiKey } : {}
  return send(method, path, queryOf(params), headers)
}

async function sendSigned(method: string, path: string, params: Params): Promise<Reply<unknown>> {
  const { apiKey, sign } = pageKey()
  const query = queryOf({ ...params, recvWindow: RECV_WINDOW_MS, timestamp: serverNowMs() })
  const signature = encodeURIComponent(await sign(query))
  return send(method, path, `${query}&signature=${signature}`, { 'X-MBX-APIKEY': apiKey })
}

async function sendFrame(call: string, params: Params): Promise<Reply<unknown>> {
  const { apiKey, sign } = pageKey()
  const session = new Session(apiKey, '', sign)
  try {
    await connected(session)
    const { result } = await session.request(call, await session.signed(params))
    return { body: result, headers: new Headers() }
  } finally {
    session.close()
  }
}

/** Rejects when the first connection does not open: nothing was sent then. */
function connected(session: Session): Promise<void> {
  const ignore = () => {}
  return new Promise((resolve, reject) => {
    const changed = (state: SocketState) => {
      if (state === 'lost') reject(new Error('The exchange cannot be reached: nothing was sent.'))
    }
    const owner = { changed, event: ignore, refused: ignore, subscribed: ignore }
    session.connect(owner).then(resolve, reject)
  })
}

/** A refusal as it came, with a link to what it means. */
function faultOf(error: Error): readonly Node[] {
  if (!(error instanceof ApiError) || error.code === 0) return [line(error.message)]
  const { status, code, message, data } = error
  const more = data === undefined ? {} : { data }
  const link = document.createElement('a')
  link.href = `/docs/api/errors#${code}`
  link.textContent = `What ${code} means`
  return [line(String(status)), block({ code, msg: message, ...more }), link]
}

function line(text: string): HTMLElement {
  const part = document.createElement('p')
  part.textContent = text
  return part
}

function block(value: unknown): HTMLElement {
  const part = document.createElement('pre')
  part.tabIndex = 0
  part.textContent = JSON.stringify(value, undefined, 2)
  return part
}
