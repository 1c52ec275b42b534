/** Forms that send an operation's request to the exchange that served the page. */
import { type Params, queryOf, type Reply, send } from '../net/api.ts'
import { ApiError } from '../net/api-error.ts'
import { pageSession } from './page-key.ts'

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
  const { method = 'GET', path = '', key } = form.dataset
  const params = Object.fromEntries(new FormData(form)) as Params
  if (key === 'signed') return pageSession().call(method, path, params)
  const headers: Record<string, string> =
    key === 'key' ? { 'X-MBX-APIKEY': pageSession().apiKey } : {}
  return send(method, path, queryOf(params), headers)
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
