/**
 * The form of a withdrawal. It is looked over before it is sent, and its id is made then: sent again, it withdraws once.
 * While its outcome is unknown it can only be sent again.
 */
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { shown } from '../book/decimals.ts'
import { ApiError } from '../net/api-error.ts'
import { type Account, refusalText } from './account.ts'
import {
  arriving,
  type Coin,
  mostOf,
  type Network,
  NO_WITHDRAWAL,
  type Withdrawal,
  withdrawalFault,
} from './wallet.ts'
import { withdraw } from './wallet-reads.ts'

/** A second click on a button that made way for another one is not for that one. */
const ARMED_MS = 500

interface FormProps {
  readonly account: Account
  readonly coin: Coin
  readonly network: Network
  readonly free: string
}

interface FormState {
  readonly wanted: Signal<Withdrawal>
  /** The id of what is looked over; '' before that. */
  readonly reviewed: Signal<string>
  readonly isArmed: Signal<boolean>
  readonly isBusy: Signal<boolean>
  readonly isUnknown: Signal<boolean>
  readonly said: Signal<string>
  readonly fault: Signal<string>
}

export function WithdrawalForm(props: FormProps): JSX.Element {
  const { account, coin, network, free } = props
  const state: FormState = {
    wanted: useSignal(NO_WITHDRAWAL),
    reviewed: useSignal(''),
    isArmed: useSignal(false),
    isBusy: useSignal(false),
    isUnknown: useSignal(false),
    said: useSignal(''),
    fault: useSignal(''),
  }
  const { wanted, reviewed, isArmed, said, fault } = state
  const review = (event: Event) => {
    event.preventDefault()
    if (reviewed.value !== '' || withdrawalFault(wanted.value, network, free) !== '') return
    said.value = ''
    fault.value = ''
    reviewed.value = crypto.randomUUID()
    isArmed.value = false
    setTimeout(() => {
      isArmed.value = true
    }, ARMED_MS)
  }
  return (
    <form class="form" aria-label="Withdraw" onSubmit={review}>
      <h3>Withdraw {coin.coin}</h3>
      {reviewed.value === '' ? (
        <Fields {...{ wanted, coin, network, free }} />
      ) : (
        <Review
          {...{ state, coin, network }}
          send={() => void send(state, account, coin, network)}
        />
      )}
      <p class={fault.value === '' ? 'note good' : 'note bad'} role="status">
        {fault.value || said.value}
      </p>
    </form>
  )
}

async function send(state: FormState, account: Account, coin: Coin, network: Network) {
  const { wanted, reviewed, isBusy, isUnknown, said, fault } = state
  const { value: session } = account.session
  if (session === undefined || isBusy.value) return
  isBusy.value = true
  fault.value = ''
  const { address, tag, amount } = wanted.value
  try {
    const id = await withdraw(session, {
      coin: coin.coin,
      network: network.network,
      address,
      addressTag: tag,
      amount,
      withdrawOrderId: reviewed.value,
    })
    said.value = `Withdrawal ${id} is applied for.`
    wanted.value = NO_WITHDRAWAL
    isUnknown.value = false
  } catch (error) {
    isUnknown.value = error instanceof ApiError && error.isUnknown
    const more = isUnknown.value ? ' It may be carried out: to send it again is safe.' : ''
    fault.value = `${refusalText(error as Error)}${more}`
  }
  if (!isUnknown.value) reviewed.value = ''
  isBusy.value = false
}

interface FieldsProps extends Omit<FormProps, 'account'> {
  readonly wanted: Signal<Withdrawal>
}

function Fields({ wanted, coin, network, free }: FieldsProps): JSX.Element {
  const set = (change: Partial<Withdrawal>) => {
    wanted.value = { ...wanted.value, ...change }
  }
  const field = (name: keyof Withdrawal, label: string, mode: 'text' | 'decimal' = 'text') => (
    <label class="field">
      <span>{label}</span>
      <input
        name={name}
        autocomplete="off"
        spellcheck={false}
        inputMode={mode}
        value={wanted.value[name]}
        onInput={({ currentTarget }) => set({ [name]: currentTarget.value.trim() })}
      />
    </label>
  )
  const { withdrawFee, withdrawMin, memoRegex } = network
  const fault = withdrawalFault(wanted.value, network, free)
  return (
    <>
      {field('address', 'To address')}
      {memoRegex !== '' && field('tag', 'Memo')}
      {field('amount', `Amount, at least ${shown(withdrawMin)}`, 'decimal')}
      <div class="actions">
        <button type="button" class="small" onClick={() => set({ amount: mostOf(free, network) })}>
          All
        </button>
        <button type="submit" class="small" disabled={fault !== ''}>
          Look it over
        </button>
      </div>
      <p class="note">
        {wanted.value === NO_WITHDRAWAL ? `The fee is ${shown(withdrawFee)} ${coin.coin}.` : fault}
      </p>
    </>
  )
}

interface ReviewProps {
  readonly state: FormState
  readonly coin: Coin
  readonly network: Network
  readonly send: () => void
}

function Review({ state, coin, network, send }: ReviewProps): JSX.Element {
  const { wanted, reviewed, isArmed, isBusy, isUnknown } = state
  const { address, tag, amount } = wanted.value
  return (
    <>
      <p>
        {shown(amount)} {coin.coin} on {network.name} to <code>{address}</code>
        {tag !== '' && ` with memo ${tag}`}. The fee is {shown(network.withdrawFee)}, so{' '}
        {arriving(amount, network)} arrive. Nobody can take this back.
      </p>
      <div class="actions">
        <button
          type="button"
          class="small"
          disabled={isBusy.value || isUnknown.value}
          onClick={() => {
            reviewed.value = ''
          }}
        >
          Back
        </button>
        <button
          type="button"
          class="small danger"
          disabled={isBusy.value || !isArmed.value}
          onClick={send}
        >
          {isBusy.value ? 'Sending …' : isUnknown.value ? 'Send it again' : 'Withdraw'}
        </button>
      </div>
    </>
  )
}
