/** The admin server over HTTP, which costs no process for each action. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'

export interface Acted {
  readonly said: string
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  readonly more?: string
}

/** Carries an action out; rejects with its sentence when it is refused. */
export async function act(
  exchange: Pick<ExchangeProcess, 'data' | 'adminPort'>,
  name: string,
  given: object,
): Promise<Acted> {
  const token = readFileSync(path.join(exchange.data, 'operator-token'), 'utf8').trim()
  const response = await fetch(`http://127.0.0.1:${exchange.adminPort}/actions/${name}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: JSON.stringify(given),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error((answer as { error: string }).error)
  return answer as Acted
}
