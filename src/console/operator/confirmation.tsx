/** Asks again before an act that cannot be undone. */
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { ActWork } from './act-work.ts'

export function Confirmation({ work }: { readonly work: ActWork }): JSX.Element {
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
      <h2>{question?.act}</h2>
      <p id="question">{question?.text}</p>
      <div class="acts">
        <button type="button" class="plain" onClick={keep}>
          Change nothing
        </button>
        <button type="button" class="plain danger" onClick={() => void work.goOn()}>
          Go on
        </button>
      </div>
    </dialog>
  )
}
