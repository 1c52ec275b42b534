/**
 * The operator's command line, used on a running exchange as an operator would, but not in a separate
 * process: operator-line.test.ts runs whole lines.
 */
import { expect } from 'vitest'
import type { DemoKey, ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { callAction } from '../../src/cli/cli.ts'
import { eventually } from '../fixtures/eventually.ts'

/** Where the command line finds it. */
type Operable = Pick<ExchangeProcess, 'data' | 'adminPort'>

export interface LineResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** What one line prints, and its exit code. */
export async function line(exchange: Operable, ...words: string[]): Promise<LineResult> {
  const { data, adminPort } = exchange
  const { code, text } = await callAction({ words, data, adminPort })
  return code === 0 ? { code, stdout: text, stderr: '' } : { code, stdout: '', stderr: text }
}

/** Until operators are served as well. */
export async function operable(exchange: Operable): Promise<void> {
  const url = `http://127.0.0.1:${exchange.adminPort}/readyz`
  await eventually('the admin server', async () => ((await fetch(url)).ok ? true : undefined))
}

/** Runs an action that must succeed; answers its rows. */
export async function operate(
  exchange: Operable,
  ...words: string[]
): Promise<Record<string, string>[]> {
  const { code, stdout, stderr } = await line(exchange, ...words, '--json')
  expect([code, stderr], words.join(' ')).toEqual([0, ''])
  return JSON.parse(stdout).rows
}

/** Runs an action that must be refused; answers the sentence. */
export async function refusal(exchange: Operable, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await line(exchange, ...words)
  expect([code, stdout], words.join(' ')).toEqual([1, ''])
  return stderr.trim()
}

export async function createKey(
  exchange: Operable,
  account: string,
  ...words: string[]
): Promise<DemoKey> {
  const [key] = await operate(exchange, 'key-create', account, ...words)
  return { account, apiKey: key!.apiKey!, secretKey: key!.secretKey! }
}
