/** An embedded exchange as programs get it: where it is, and its methods, which are operators' actions. */
import { venueAccount } from './embedded-accounts.ts'
import type { Operate } from './operate.ts'
import type { ApiKey, EmbeddedExchange } from './options.ts'
import { venueFaults } from './venue-faults.ts'

/** Where an exchange is, as a child process writes it. */
export type VenueFacts = Pick<
  EmbeddedExchange,
  'url' | 'wsUrl' | 'wsApiUrl' | 'adminUrl' | 'port' | 'folder'
> & { readonly accounts: Record<string, ApiKey> }

export const venueOf = (
  facts: VenueFacts,
  operate: Operate,
  close: () => Promise<void>,
): EmbeddedExchange => ({
  ...facts,
  faults: venueFaults(operate),
  account: venueAccount(operate, facts.folder, facts.accounts),
  close,
})

/** Returns what of an exchange can be written as JSON. */
export function factsOf({ url, wsUrl, wsApiUrl, adminUrl, ...exchange }: EmbeddedExchange) {
  const { port, folder, accounts } = exchange
  return { url, wsUrl, wsApiUrl, adminUrl, port, folder, accounts } satisfies VenueFacts
}
