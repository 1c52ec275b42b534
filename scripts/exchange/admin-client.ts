/** Actions of an operator, by the admin port. */
import { randomUUID } from 'node:crypto'
import { readToken } from '../../src/control/token.ts'
import type { ExchangeProcess } from './exchange-process.ts'

export type ActionRow = Readonly<Record<string, string>>

export interface ActionAnswer {
  readonly status: number
  readonly body: { readonly rows?: readonly ActionRow[]; readonly error?: string }
}

/** Resolves to undefined when the exchange ends first. The same `key` carries it out once. */
export async function act(
  { adminPort, data }: ExchangeProcess,
  name: string,
  given: object,
  key: string = randomUUID(),
): Promise<ActionAnswer | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${adminPort}/actions/${name}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${readToken(data)}`, 'Idempotency-Key': key },
      body: JSON.stringify(given),
    })
    return { status: response.status, body: (await response.json()) as ActionAnswer['body'] }
  } catch {
    return undefined
  }
}
