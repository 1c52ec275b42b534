/** Asks before a dangerous action, in the words of the exchange; what reaches far is typed by its name. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Rows } from './action-outcome.tsx'
import type { ActionWork, Question } from './action-work.ts'

export function Confirmation({ work }: { readonly work: ActionWork }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  const { value: question } = work.question
  useEffect(() => {
    if (question === undefined) dialog.current?.close()
    else dialog.current?.showModal()
  }, [question])
  const keep = () => {
    work.question.value = undefined
  }
  return (
    <dialog ref={dialog} aria-labelledby="question" onClose={keep}>
      {question !== undefined && <Asked question={question} work={work} keep={keep} />}
    </dialog>
  )
}

interface AskedProps {
  readonly question: Question
  readonly work: ActionWork
  readonly keep: () => void
}

function Asked({ question: { action, preview }, work, keep }: AskedProps): JSX.Element {
  const { does, note, yes, no = 'Go back', typed = '', rows } = preview
  const given = useSignal('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (given.value === typed) void work.goOn()
      }}
    >
      <h2>{action}</h2>
      <p id="question">
        {does}? {note}
      </p>
      <Rows rows={rows} rowAction={undefined} work={work} />
      {typed !== '' && (
        <div class="field">
          <label for="typed">
            Type <b>{typed}</b> to confirm
          </label>
          <input
            id="typed"
            autocomplete="off"
            spellcheck={false}
            value={given.value}
            onInput={({ currentTarget }) => {
              given.value = currentTarget.value
            }}
          />
        </div>
      )}
      <div class="actions">
        <button type="button" class="plain" onClick={keep}>
          {no}
        </button>
        <button type="submit" class="plain danger" disabled={given.value !== typed}>
          {yes}
        </button>
      </div>
    </form>
  )
}
