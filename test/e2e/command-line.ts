/** The operator's command line, asked of a running exchange as an operator would. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { expect } from 'vitest'
import { eventually } from './eventually.ts'
import type { DemoKey, ExchangeProcess } from './exchange-process.ts'

const main = path.resolve(import.meta.dirname, '../../dist/src/main.js')

export interface LineResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Clients are served a moment before operators are. */
export async function operable(exchange: ExchangeProcess): Promise<void> {
  const url = `http://127.0.0.1:${exchange.adminPort}/readyz`
  await eventually('the operator door', async () => ((await fetch(url)).ok ? true : undefined))
}

/** Runs one line to its end. */
export function line(exchange: ExchangeProcess, ...words: string[]): Promise<LineResult> {
  const where = ['--data', exchange.data, '--admin-port', String(exchange.adminPort)]
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...words, ...where], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
  })
}

/** Runs an act that must succeed; answers its rows. */
export async function operate(
  exchange: ExchangeProcess,
  ...words: string[]
): Promise<Record<string, string>[]> {
  const { code, stdout, stderr } = await line(exchange, ...words, '--json')
  expect([code, stderr], words.join(' ')).toEqual([0, ''])
  return JSON.parse(stdout).rows
}

/** Runs an act that must be refused; answers the sentence. */
export async function refusal(exchange: ExchangeProcess, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await line(exchange, ...words)
  expect([code, stdout], words.join(' ')).toEqual([1, ''])
  return stderr.trim()
}

export async function createKey(
  exchange: ExchangeProcess,
  account: string,
  ...words: string[]
): Promise<DemoKey> {
  const [key] = await operate(exchange, 'key-create', account, ...words)
  return { account, apiKey: key!.apiKey!, secretKey: key!.secretKey! }
}
