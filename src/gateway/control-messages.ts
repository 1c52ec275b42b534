/** Applies operators' messages in one gateway. */

import { assert } from '../base/assert.ts'
import type { SymbolId } from '../base/units.ts'
import { isRevoked } from '../market/key-spec.ts'
import type { AssetSpec } from '../market/listing.ts'
import type { PostedFault } from '../sandbox/fault-trigger.ts'
import type { ControlMessage, ReloadMessage } from '../shared/control-message.ts'
import type { KeyRing } from './authentication/key-ring.ts'
import type { EngineClient } from './engine-link/engine-client.ts'
import type { Markets } from './engine-link/markets.ts'
import type { Topics } from './streams/topics.ts'
import type { UserStreams } from './streams/user-streams.ts'

export interface ControlledParts {
  readonly context: EngineClient
  readonly keys: KeyRing
  readonly userStreams: UserStreams
  readonly markets: Markets
  readonly topics: Topics
  /** By id: the one array that the whole gateway reads. */
  readonly assets: AssetSpec[]
  /** Ends the sessions and subscriptions of an API key. */
  readonly revokeKey: (apiKey: string) => void
  /** The key's grants or addresses have changed, perhaps. */
  readonly keyChanged: (apiKey: string) => void
  /** Ends the streams of listen keys that are no longer active. */
  readonly checkListenKeys: () => void
  /** Starts the new symbol's streams for clients that had subscribed before. */
  readonly openStreams: (symbol: string) => void
  /** Resolves when the gateway goes by what was read again. */
  readonly reload: (read: ReloadMessage) => Promise<void>
  /** Puts rules of the sandbox into force. */
  readonly setFaults: (faults: readonly PostedFault[]) => void
  /** Resolves when no command that changes orders is under way. */
  readonly finish: () => Promise<void>
  /** Resolves when the symbol's depth is the engine's. */
  readonly syncDepth: (symbolId: SymbolId) => Promise<void>
}

/** Resolves when the gateway applies it. */
export async function applyControlMessage(
  message: ControlMessage,
  parts: ControlledParts,
): Promise<void> {
  const { context, keys, userStreams, markets, topics, assets, syncDepth } = parts
  const { revokeKey, keyChanged, checkListenKeys, openStreams, reload, finish } = parts
  switch (message.kind) {
    case 'account':
      keys.setAccount(message.account)
      break
    case 'key':
      keys.put(message.key)
      if (isRevoked(message.key)) revokeKey(message.key.apiKey)
      else keyChanged(message.key.apiKey)
      break
    case 'reload':
      await reload(message)
      break
    case 'listenKey':
      checkListenKeys()
      break
    case 'asset':
      assert(message.asset.id === assets.length, 'assets are listed in the order of their ids')
      assets.push(message.asset)
      if (message.isValuation) context.valuationAsset = message.asset
      break
    case 'chain':
    case 'network':
      context.setChain(message)
      break
    case 'exchange':
      context.exchange = message.exchange
      break
    case 'listing':
      markets.listNew(message.listed.symbol, message.listed.matcher)
      break
    case 'opening': {
      await syncDepth(message.symbol.id)
      // Its book, and events since, have named the phase.
      const symbol = markets.symbols[message.symbol.id]!
      context.setSymbol(symbol)
      topics.open(symbol)
      topics.statusChanged(symbol)
      openStreams(symbol.name)
      break
    }
    case 'symbol': {
      const before = markets.symbols[message.symbol.id]!
      // The phase comes from the matcher's events: this message may overtake them.
      const symbol = { ...message.symbol, status: before.status }
      markets.respecify(symbol)
      context.setSymbol(symbol)
      break
    }
    case 'finish':
      await finish()
      break
    case 'faults':
      parts.setFaults(message.faults)
      break
    case 'balance':
      userStreams.balanceChanged(message.change)
      break
  }
}
