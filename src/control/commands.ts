/** Every operator action, one row each. The command line and HTTP show this table and nothing else. */
import type { ActionRow } from './action.ts'
import { accountResetActions } from './actions/account-reset.ts'
import { accountActions } from './actions/accounts.ts'
import { backupActions } from './actions/backups.ts'
import { blockTradeActions } from './actions/block-trades.ts'
import { chainActions } from './actions/chains.ts'
import { clockActions } from './actions/clock.ts'
import { eventActions } from './actions/events.ts'
import { exchangeActions } from './actions/exchange.ts'
import { faultActions } from './actions/faults.ts'
import { fillActions } from './actions/fills.ts'
import { fundsActions } from './actions/funds.ts'
import { groupActions } from './actions/groups.ts'
import { keyActions } from './actions/keys.ts'
import { listingActions } from './actions/listings.ts'
import { machineClockActions } from './actions/machine-clock.ts'
import { memberActions } from './actions/members.ts'
import { moneyActions } from './actions/money.ts'
import { networkActions } from './actions/networks.ts'
import { operatorActions } from './actions/operators.ts'
import { phaseActions } from './actions/phases.ts'
import { placementActions } from './actions/placement.ts'
import { referenceActions } from './actions/references.ts'
import { ruleActions } from './actions/rules.ts'
import { scheduleActions } from './actions/schedules.ts'
import { sessionActions } from './actions/sessions.ts'
import { stateActions } from './actions/states.ts'
import { statusActions } from './actions/status.ts'
import { symbolActions } from './actions/symbols.ts'
import { tradingActions } from './actions/trading.ts'
import { venueActions } from './actions/venue.ts'
import { walletActions } from './actions/wallet.ts'

export const actions: readonly ActionRow[] = [
  ...tradingActions,
  ...blockTradeActions,
  ...sessionActions,
  ...venueActions,
  ...listingActions,
  ...ruleActions,
  ...symbolActions,
  ...phaseActions,
  ...referenceActions,
  ...scheduleActions,
  ...placementActions,
  ...groupActions,
  ...accountActions,
  ...keyActions,
  ...moneyActions,
  ...fundsActions,
  ...chainActions,
  ...walletActions,
  ...statusActions,
  ...exchangeActions,
  ...memberActions,
  ...machineClockActions,
  ...backupActions,
  ...faultActions,
  ...fillActions,
  ...eventActions,
  ...clockActions,
  ...stateActions,
  ...networkActions,
  ...accountResetActions,
  ...operatorActions,
]

export const actionNamed = (name: string): ActionRow | undefined =>
  actions.find((row) => row.name === name)
