/** Rows that REST gives, read again when the account changes, at most every half second. */
import { useEffect, useState } from 'preact/hooks'
import type { Params } from '../net/api.ts'
import type { Account } from './account.ts'

const PACE_MS = 500

export function useRows<Row>(account: Account, path: string, params: Params): readonly Row[] {
  const [rows, setRows] = useState<readonly Row[]>([])
  const asked = JSON.stringify(params)
  useEffect(() => {
    let isOver = false
    let timer: number | undefined
    let readMs = Number.NEGATIVE_INFINITY
    const read = async () => {
      timer = undefined
      readMs = performance.now()
      const { value: session } = account.session
      const answer = session?.read<readonly Row[]>(path, JSON.parse(asked) as Params)
      const found = await answer?.catch(() => undefined)
      if (!isOver && found !== undefined) setRows(found)
    }
    const end = account.changes.subscribe(() => {
      const waitMs = Math.max(0, readMs + PACE_MS - performance.now())
      timer ??= setTimeout(() => void read(), waitMs)
    })
    return () => {
      isOver = true
      clearTimeout(timer)
      end()
    }
  }, [account, path, asked])
  return rows
}
