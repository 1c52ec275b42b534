/** Rows of the account's past, for what shows them. */
import { useEffect } from 'preact/hooks'
import type { Account } from './account.ts'
import type { KeptRows } from './kept-rows.ts'

/** Returns the rows of a market while they are shown. */
export function useKept<Row>(
  account: Account,
  kept: KeptRows<Row>,
  market: string,
): readonly Row[] {
  const { value: loaded } = account.loaded
  const { value: session } = account.session
  useEffect(() => {
    if (session !== undefined) void kept.read(session, market, loaded)
  }, [kept, market, loaded, session])
  return kept.of(market)
}
