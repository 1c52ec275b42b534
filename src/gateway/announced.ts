/** Lets what an operator decided come into force in one gateway. */
import type { Announcement } from '#base/announcement.ts'
import type { GatewayContext } from './context-impl.ts'
import type { KeyRing } from './key-ring.ts'
import type { UserStreams } from './user-streams.ts'

export interface AnnouncedParts {
  readonly context: GatewayContext
  readonly keys: KeyRing
  readonly userStreams: UserStreams
}

export function applyAnnouncement(
  announcement: Announcement,
  { context, keys, userStreams }: AnnouncedParts,
): void {
  switch (announcement.kind) {
    case 'account':
      keys.setAccount(announcement.account)
      break
    case 'key':
      keys.put(announcement.key)
      break
    case 'symbol':
      context.setSymbol(announcement.symbol)
      break
    case 'distribution':
      context.addDistribution(announcement.distribution)
      break
    case 'balance':
      userStreams.balanceChanged(announcement.change)
      break
  }
}
