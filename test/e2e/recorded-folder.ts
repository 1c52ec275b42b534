/** Data folders that builds of earlier layouts have left, and what they answered (record-layout.ts). */
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import type { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { act } from './admin-server.ts'
import type { Asked } from './recorded-answers.ts'
import { Trader } from './trader.ts'

const folder = path.resolve('test/fixtures/recorded')

/** Members that rows of an action have got since a folder was recorded, with their values in such a folder. */
const ADDED: Readonly<Record<string, (row: Readonly<Record<string, unknown>>) => object>> = {
  accounts: ({ account }) => ({ master: '', email: `${account}@ringbook.invalid` }),
  audit: () => ({ overChains: '0.00000000' }),
  keys: () => ({ grants: '', withdrawsTo: '' }),
  operators: () => ({ earlierTokensUntil: '' }),
}

export const recordedLayouts: readonly number[] = readdirSync(folder)
  .map((name) => /^layout-(\d+)\.tar\.gz$/.exec(name)?.[1])
  .filter((digits) => digits !== undefined)
  .map(Number)

export const isNewestLayout = (layout: number): boolean => layout === Math.max(...recordedLayouts)

const fileOf = (layout: number): string => path.join(folder, `layout-${layout}.tar.gz`)

/** Fills the exchange's folder, on which nothing runs. */
export function unpack(layout: number, { data }: ExchangeProcess): void {
  execFileSync('tar', ['-C', data, '--strip-components=1', '-xzf', fileOf(layout), 'data'])
}

/** A recorded file beside the folder. */
export const recorded = (layout: number, name: string): string =>
  execFileSync('tar', ['-xzOf', fileOf(layout), name], { maxBuffer: 1 << 28 }).toString()

/** Expects the answers that the older build gave; those that `isExpected`. */
export async function expectAnswers(
  layout: number,
  exchange: ExchangeProcess,
  isExpected: (asked: Asked) => boolean = () => true,
): Promise<void> {
  const answers: Asked[] = JSON.parse(recorded(layout, 'answers.json'))
  expect(answers.length).toBeGreaterThan(100)
  for (const asked of answers.filter(isExpected)) {
    const { target, params = {}, account, body } = asked
    const what = `${target ?? asked.act} ${JSON.stringify(params)} of ${account}`
    expect(timeless(await answerOf(exchange, asked)), what).toEqual(
      timeless(asToday(asked.act, body)),
    )
  }
}

async function answerOf(exchange: ExchangeProcess, asked: Asked): Promise<unknown> {
  const { target = '', params = {}, account } = asked
  if (asked.act !== undefined) return (await act(exchange, asked.act, params)).rows
  if (account !== undefined) return new Trader(exchange, account).ask('GET', target, params)
  return (await fetch(`${exchange.url}${target}`)).json()
}

/** Rows as an action returns them today. A layout that has recorded a member keeps its value. */
function asToday(action: string | undefined, body: unknown): unknown {
  const added = action === undefined ? undefined : ADDED[action]
  if (added === undefined || !Array.isArray(body)) return body
  return body.map((row) => ({ ...added(row), ...row }))
}

/** Returns an answer without its time. */
function timeless(body: unknown): unknown {
  if (Array.isArray(body) || body === null || typeof body !== 'object') return body
  const { serverTime: _, ...rest } = body as Record<string, unknown>
  return rest
}
