/** How methods of an embedded exchange act on it: by operators' actions, here or over the admin port. */
import type { TableRow } from '../control/action.ts'
import type { CommandExecutor } from '../control/command-executor.ts'
import { readToken } from '../control/token.ts'
import { plainFetch } from './plain-fetch.ts'

/** The response to an action, as far as methods read it. */
export interface Operated {
  readonly said: string
  readonly rows: readonly TableRow[]
  readonly more?: string
}

/** Carries out an action. Rejects with an Error whose message is the sentence of a refusal. */
export type Operate = (
  action: string,
  given: Readonly<Record<string, unknown>>,
) => Promise<Operated>

export const operateHere =
  (executor: Pick<CommandExecutor, 'act'>): Operate =>
  (action, given) =>
    executor.act(action, given)

/** The data folder has the token. */
export function operateOver(adminUrl: string, folder: string): Operate {
  return async (action, given) => {
    const response = await plainFetch(`${adminUrl}/actions/${action}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${readToken(folder)}` },
      body: JSON.stringify(given),
    })
    const answer = (await response.json()) as Operated & { readonly error?: string }
    if (!response.ok) throw new Error(answer.error ?? `The exchange answered ${response.status}.`)
    return answer
  }
}
