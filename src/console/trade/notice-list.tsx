/** Notices with their times, in sight of every view. */
import type { JSX } from 'preact'
import { timeText } from '../toolkit/times.ts'
import type { Account } from './account.ts'

export function NoticeList({ account }: { readonly account: Account }): JSX.Element {
  const { notices } = account
  const { value: list } = notices.list
  return (
    <section
      id="notices"
      class="notices"
      aria-label="Notices"
      aria-busy={account.inFlight.value > 0}
    >
      {list.map(({ text, outcome, tone, timeMs, number, name }) => (
        <div
          key={name === '' ? number : name}
          class={`notice ${tone} ${name}`}
          data-number={number}
          role={tone === 'bad' || tone === 'alert' ? 'alert' : 'status'}
        >
          <p class="said">{text}</p>
          {outcome !== '' && <p class="outcome">{outcome}</p>}
          <time class="figure" dateTime={new Date(timeMs).toISOString()}>
            {timeText(timeMs)}
          </time>
          <button
            type="button"
            class="icon"
            aria-label="Dismiss"
            onClick={() => notices.dismiss(number)}
          >
            ×
          </button>
        </div>
      ))}
    </section>
  )
}
