/** Every operator act, one row each. The command line and HTTP show this table and nothing else. */
import type { ActRow } from './act.ts'
import { accountActs } from './acts/accounts.ts'
import { backupActs } from './acts/backups.ts'
import { exchangeActs } from './acts/exchange.ts'
import { keyActs } from './acts/keys.ts'
import { listingActs } from './acts/listings.ts'
import { memberActs } from './acts/members.ts'
import { moneyActs } from './acts/money.ts'
import { operatorActs } from './acts/operators.ts'
import { placementActs } from './acts/placement.ts'
import { ruleActs } from './acts/rules.ts'
import { sessionActs } from './acts/sessions.ts'
import { statusActs } from './acts/status.ts'
import { symbolActs } from './acts/symbols.ts'
import { tradingActs } from './acts/trading.ts'
import { venueActs } from './acts/venue.ts'

export const acts: readonly ActRow[] = [
  ...tradingActs,
  ...sessionActs,
  ...venueActs,
  ...listingActs,
  ...ruleActs,
  ...symbolActs,
  ...placementActs,
  ...accountActs,
  ...keyActs,
  ...moneyActs,
  ...statusActs,
  ...exchangeActs,
  ...memberActs,
  ...backupActs,
  ...operatorActs,
]

export const actNamed = (name: string): ActRow | undefined => acts.find((row) => row.name === name)
