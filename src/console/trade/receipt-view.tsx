/** Where the time of own orders went: the last one stage by stage, and all as a distribution. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Account } from './account.ts'
import { distribution, durationText, quantile, type Receipt, STAGES } from './receipts.ts'

const WIDTH = 240
const BAR = 10
const CHART = 44
/** Receipts that can be chosen. */
const LISTED = 100

export function ReceiptBar({ receipt }: { readonly receipt: Receipt }): JSX.Element {
  let x = 0
  const parts = STAGES.map((stage, index) => {
    const width = (receipt.stages[stage] / Math.max(1, receipt.totalNs)) * WIDTH
    x += width
    return { stage, index, x: x - width, width }
  })
  return (
    <div class="receipt">
      <p>
        <b>{receipt.what}</b> <span class="figure">{durationText(receipt.totalNs)}</span>
      </p>
      <svg viewBox={`0 0 ${WIDTH} ${BAR}`} preserveAspectRatio="none" role="img" class="stages">
        <title>{STAGES.map((it) => `${it} ${durationText(receipt.stages[it])}`).join(', ')}</title>
        {parts.map(({ stage, index, x: left, width }) => (
          <rect key={stage} class={`stage-${index}`} x={left} y={0} width={width} height={BAR} />
        ))}
      </svg>
      <ul class="stage-list">
        {STAGES.map((stage, index) => (
          <li key={stage}>
            <span class={`key stage-${index}`} aria-hidden="true" />
            {stage}
            <span class="figure">{durationText(receipt.stages[stage])}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

export function Receipts({ account }: { readonly account: Account }): JSX.Element {
  const chosen = useSignal<Receipt | undefined>(undefined)
  const { value: receipts } = account.receipts
  const last = receipts.at(-1)
  if (last === undefined) {
    return (
      <p class="empty">Each order's receipt appears here: where its time went in the exchange.</p>
    )
  }
  const shown = chosen.value !== undefined && receipts.includes(chosen.value) ? chosen.value : last
  const listed = receipts.slice(-LISTED).reverse()
  return (
    <div class="receipts">
      <div>
        <label class="field">
          <span>Receipt</span>
          <select
            value={String(listed.indexOf(shown))}
            onChange={({ currentTarget }) => {
              const at = Number(currentTarget.value)
              chosen.value = at === 0 ? undefined : listed[at]
            }}
          >
            {listed.map((receipt, at) => (
              <option key={receipts.length - at} value={String(at)}>
                {receiptName(receipt)}
              </option>
            ))}
          </select>
        </label>
        <ReceiptBar receipt={shown} />
      </div>
      <Distribution receipts={receipts} />
    </div>
  )
}

const receiptName = ({ what, orderId, totalNs }: Receipt): string =>
  `${what}${orderId === undefined ? '' : ` ${orderId}`}, ${durationText(totalNs)}`

function Distribution({ receipts }: { readonly receipts: readonly Receipt[] }): JSX.Element {
  const bins = distribution(receipts)
  const most = Math.max(...bins.map(({ count }) => count))
  const width = WIDTH / bins.length
  const [half, most99] = [quantile(receipts, 0.5), quantile(receipts, 0.99)].map(durationText)
  return (
    <div class="receipt">
      <p>
        <b>Last {receipts.length}</b>{' '}
        <span class="figure">
          p50 {half} · p99 {most99}
        </span>
      </p>
      <svg viewBox={`0 0 ${WIDTH} ${CHART}`} preserveAspectRatio="none" role="img" class="bins">
        <title>{`Totals of the last ${receipts.length} receipts, p50 ${half}, p99 ${most99}`}</title>
        {bins.map(({ fromNs, count }, index) => (
          <rect
            key={fromNs}
            x={index * width + 0.5}
            y={CHART - (count / most) * CHART}
            width={Math.max(0.5, width - 1)}
            height={(count / most) * CHART}
          />
        ))}
      </svg>
      <p class="range figure">
        <span>{durationText(bins[0]!.fromNs)}</span>
        <span>{durationText(bins.at(-1)!.fromNs * 10 ** 0.1)}</span>
      </p>
    </div>
  )
}
