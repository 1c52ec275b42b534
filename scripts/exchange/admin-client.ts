/** Actions of an operator, by the admin port. */
import { randomUUID } from 'node:crypto'
import { readToken } from '../../src/control/token.ts'
import type { DemoKey, ExchangeProcess } from './exchange-process.ts'

type Admin = Pick<ExchangeProcess, 'adminPort' | 'data'>

export type ActionRow = Readonly<Record<string, string>>

export interface ActionAnswer {
  readonly status: number
  readonly body: { readonly rows?: readonly ActionRow[]; readonly error?: string }
}

/** Resolves to undefined when the exchange ends first. The same `key` carries it out once. */
export async function act(
  { adminPort, data }: Admin,
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

/** Carries out an action by its name. Resolves to its table; rejects with its sentence. */
export type Act = (name: string, given: object) => Promise<readonly ActionRow[]>

/** `answered` is called with each answer's status. */
export function actor(admin: Admin, answered?: (name: string, status: number) => void): Act {
  return async (name, given) => {
    const { status, body } = (await act(admin, name, given)) ?? { status: 0, body: {} }
    answered?.(name, status)
    if (status !== 200) throw new Error(`${name}: ${body.error ?? 'no answer'}`)
    return body.rows ?? []
  }
}

/** Opens an account with these funds. Returns its key. */
export async function openAccount(
  carryOut: Act,
  account: string,
  funds: Readonly<Record<string, string>>,
): Promise<DemoKey> {
  await carryOut('account-open', { account })
  for (const [asset, amount] of Object.entries(funds)) {
    await carryOut('deposit', { account, asset, amount })
  }
  const [row] = await carryOut('key-create', { account })
  return { account, apiKey: row!.apiKey!, secretKey: row!.secretKey! }
}
