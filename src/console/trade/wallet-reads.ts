/** What the wallet's view reads while it is shown. Rows follow the chains' blocks, which send no events: they are read again. */
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ApiError } from '../net/api-error.ts'
import { roomToRead } from '../net/weight.ts'
import { type Account, refusalText } from './account.ts'
import type { Session } from './session.ts'
import {
  type Coin,
  type DepositRow,
  type Transfer,
  transfersOf,
  type WithdrawalRow,
} from './wallet.ts'

const AGAIN_MS = 3_000
/** Networks are read again after so many readings of rows: operators suspend them. */
const COINS_EVERY = 10
const RETRIES = 5
const RETRY_MS = 1_000

export interface WalletReads {
  /** Undefined until they are read. */
  readonly coins: Signal<readonly Coin[] | undefined>
  readonly transfers: Signal<readonly Transfer[]>
  /** Why nothing is read; '' when it is. */
  readonly fault: Signal<string>
}

export function useWallet(account: Account): WalletReads {
  const coins = useSignal<readonly Coin[] | undefined>(undefined)
  const transfers = useSignal<readonly Transfer[]>([])
  const fault = useSignal('')
  const { value: session } = account.session
  const { value: balances } = account.balances
  useEffect(() => {
    if (session === undefined) return
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    let left = 0
    const read = async () => {
      try {
        if (!document.hidden) {
          if (left-- === 0 || coins.value === undefined) {
            left = COINS_EVERY
            const read = await readOf<readonly Coin[]>(session, 'config/getall')
            if (!isOver) coins.value = read.filter(({ networkList }) => networkList.length > 0)
          }
          const rows = await readOf<readonly DepositRow[]>(session, 'deposit/hisrec')
          const outs = await readOf<readonly WithdrawalRow[]>(session, 'withdraw/history')
          if (!isOver) transfers.value = transfersOf(rows, outs)
        }
        fault.value = ''
      } catch (error) {
        fault.value = refusalText(error as Error)
      }
      if (!isOver) timer = setTimeout(read, AGAIN_MS)
    }
    void read()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [session, balances])
  return { coins, transfers, fault }
}

async function readOf<Body>(session: Session, path: string): Promise<Body> {
  await roomToRead()
  return session.call<Body>('GET', `/sapi/v1/capital/${path}`)
}

export async function depositAddressOf(
  session: Session,
  coin: string,
  network: string,
): Promise<{ readonly address: string; readonly tag: string }> {
  await roomToRead()
  return session.call('GET', '/sapi/v1/capital/deposit/address', { coin, network })
}

/**
 * Applies for a withdrawal, again while its answer is lost: an id withdraws once, however often it is sent. Returns the
 * exchange's id of it. Throws ApiError; one that is unknown may have been carried out.
 */
export async function withdraw(
  session: Session,
  wanted: Readonly<Record<string, string>>,
): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      const path = '/sapi/v1/capital/withdraw/apply'
      return (await session.call<{ readonly id: string }>('POST', path, wanted)).id
    } catch (error) {
      if (tries > RETRIES || !(error instanceof ApiError) || !error.isUnknown) throw error
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}
