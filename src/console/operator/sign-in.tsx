/** Asks for the token, which stays in this page's memory. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { OperatorSession } from './operator-session.ts'

export function SignIn({ session }: { readonly session: OperatorSession }): JSX.Element {
  const token = useSignal('')
  const fault = useSignal('')
  const isBusy = useSignal(false)
  const enter = async () => {
    isBusy.value = true
    fault.value = ''
    const given = token.value.trim()
    token.value = ''
    await session.signIn(given).catch((error: Error) => {
      fault.value = error.message
    })
    isBusy.value = false
  }
  return (
    <main class="sign-in">
      <form
        class="panel form"
        aria-label="Sign in"
        onSubmit={(event) => {
          event.preventDefault()
          void enter()
        }}
      >
        <h2>Sign in</h2>
        <label class="field">
          <span>Token</span>
          <input
            type="password"
            name="token"
            value={token.value}
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => {
              token.value = currentTarget.value
            }}
          />
        </label>
        <button type="submit" class="wide" disabled={isBusy.value || token.value.trim() === ''}>
          Sign in
        </button>
        {fault.value !== '' && (
          <p class="note bad" role="alert">
            {fault.value}
          </p>
        )}
        <p class="note">
          The token is in the file operator-token of the data folder; other operators have their
          own. It stays in this page's memory, and is gone when the page is closed.
        </p>
      </form>
    </main>
  )
}
