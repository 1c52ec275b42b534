/** The key that signs requests of a page: kept in its memory, made from the form at the page's top. */
import { measureClock, send } from '../net/api.ts'
import { makeSigner, type Signer, signingTrouble } from '../trade/signer.ts'

interface DemoKey {
  readonly account: string
  readonly apiKey: string
  readonly secretKey: string
}

export interface PageKey {
  readonly apiKey: string
  readonly sign: Signer
}

let key: PageKey | undefined

/** Returns the page's key. Throws when none was given. */
export function pageKey(): PageKey {
  if (key !== undefined) return key
  const trouble = signingTrouble()
  if (trouble !== '') throw new Error(trouble)
  document.getElementById('api-key')?.focus()
  throw new Error('Give a key at the top of this page first.')
}

export function beginKey(): void {
  const form = document.getElementById('key')
  const state = document.getElementById('key-state')
  if (form === null || state === null) return
  const use = async (apiKey: string, secret: string, name: string) => {
    try {
      await measureClock()
      key = { apiKey, sign: await makeSigner(secret) }
      state.textContent = `Requests are signed by the key of ${name}.`
    } catch (error) {
      key = undefined
      state.textContent = (error as Error).message
    }
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const textOf = (id: string) =>
      (document.getElementById(id) as HTMLInputElement | HTMLTextAreaElement).value.trim()
    const apiKey = textOf('api-key')
    void use(apiKey, textOf('secret'), `${apiKey.slice(0, 6)}…`)
  })
  const trouble = signingTrouble()
  state.textContent = trouble
  if (trouble === '') void offerDemo(use)
}

/** Buttons for the demo's accounts, which the exchange offers to browsers on its own machine. */
async function offerDemo(
  use: (apiKey: string, secret: string, name: string) => Promise<void>,
): Promise<void> {
  const { body } = await send<readonly DemoKey[]>('POST', '/console/demo-keys', '').catch(() => ({
    body: [],
  }))
  const buttons = body.map(({ account, apiKey, secretKey }) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'plain'
    button.textContent = account
    button.addEventListener('click', () => void use(apiKey, secretKey, account))
    return button
  })
  if (buttons.length === 0) return
  document.getElementById('demo')?.append(' or an account of the demo: ', ...buttons)
}
