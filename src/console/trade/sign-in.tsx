/** Signing in: with an API key and its secret, or with an account of the demo by one click. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { MarketSymbol } from '../market/symbols.ts'
import { send } from '../net/api.ts'
import { type Account, refusalText } from './account.ts'
import { isStaying, type KeptKey, keepKey, keptKey, toggleStaying } from './kept-key.ts'
import { MarketRules } from './market-rules.tsx'
import { Session } from './session.ts'
import { makeSigner, signingTrouble } from './signer.ts'

interface DemoKey {
  readonly account: string
  readonly apiKey: string
  readonly secretKey: string
}

async function demoKeys(): Promise<readonly DemoKey[]> {
  if (signingTrouble() !== '') return []
  const asked = send<readonly DemoKey[]>('POST', '/console/demo-keys', '')
  return asked.then(({ body }) => body).catch(() => [])
}

const KEY_CHARS_SHOWN = 6

interface SignInProps {
  readonly account: Account
  /** The market that is shown. */
  readonly symbol: MarketSymbol
}

export function SignIn({ account, symbol }: SignInProps): JSX.Element {
  const demo = useSignal<readonly DemoKey[]>([])
  const apiKey = useSignal('')
  const secret = useSignal('')
  const fault = useSignal('')
  const isBusy = useSignal(false)
  const enter = async (key: KeptKey) => {
    isBusy.value = true
    fault.value = ''
    try {
      await account.signIn(new Session(key.apiKey, key.name, await makeSigner(key.secret)))
      keepKey(key)
    } catch (error) {
      fault.value = refusalText(error as Error)
    }
    isBusy.value = false
  }
  useEffect(() => {
    const kept = keptKey()
    if (kept !== undefined) void enter(kept)
    void demoKeys().then((keys) => {
      demo.value = keys
    })
  }, [])
  const trouble = signingTrouble()
  return (
    <section class="panel ticket sign-in" aria-label="Sign in">
      <header class="panel-head">
        <h2>Sign in</h2>
      </header>
      <div class="scroll">
        <div class="form">
          <Trouble text={trouble} />
          {demo.value.length > 0 && (
            <div class="demo">
              <p class="note">Demo accounts (this computer only):</p>
              {demo.value.map((key) => (
                <button
                  key={key.account}
                  type="button"
                  class="plain"
                  disabled={isBusy.value}
                  onClick={() => {
                    const { apiKey, secretKey, account: name } = key
                    void enter({ apiKey, name, secret: secretKey })
                  }}
                >
                  {key.account}
                </button>
              ))}
            </div>
          )}
          <form
            onSubmit={(event) => {
              event.preventDefault()
              const key = apiKey.value.trim()
              const name = `${key.slice(0, KEY_CHARS_SHOWN)}…`
              void enter({ apiKey: key, name, secret: secret.value.trim() })
            }}
          >
            <label class="field">
              <span>API key</span>
              <input
                value={apiKey.value}
                autocomplete="off"
                spellcheck={false}
                onInput={({ currentTarget }) => {
                  apiKey.value = currentTarget.value
                }}
              />
            </label>
            <label class="field">
              <span>HMAC secret, or Ed25519 private key (PEM)</span>
              <textarea
                class="secret"
                rows={3}
                value={secret.value}
                autocomplete="off"
                spellcheck={false}
                onInput={({ currentTarget }) => {
                  secret.value = currentTarget.value
                }}
              />
            </label>
            <button
              type="submit"
              class="wide"
              disabled={
                isBusy.value || trouble !== '' || apiKey.value === '' || secret.value === ''
              }
            >
              Sign in
            </button>
          </form>
          <Trouble text={fault.value} />
          <Staying />
          <MarketRules symbol={symbol} />
        </div>
      </div>
    </section>
  )
}

/** Where the secret stays, which the user chooses. */
const Staying = (): JSX.Element => (
  <>
    <label class="note">
      <input type="checkbox" checked={isStaying.value} onChange={toggleStaying} /> Stay signed in
      when this tab reloads
    </label>
    <p class="note">
      The secret is never sent: only signatures are. It stays in
      {isStaying.value
        ? " this tab's session storage until you sign out or close the tab."
        : " this page's memory, and is gone when the page is closed or reloaded."}
    </p>
  </>
)

const Trouble = ({ text }: { readonly text: string }): JSX.Element | null =>
  text === '' ? null : (
    <p class="note bad" role="alert">
      {text}
    </p>
  )
