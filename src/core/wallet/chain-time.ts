/**
 * A chain's height as a function of time: it makes a block each blockMs since its base, except while it stands still.
 * Changes move the base, so that no block is a fact.
 */
import { assert } from '../../base/assert.ts'
import { Ms } from '../../base/units.ts'
import type { ChainBlockFields } from '../../layout/accessors.gen.ts'
import type { ChainSpec } from '../../market/network.ts'

export type Chain = Readonly<ChainBlockFields>

/** A chain that nothing has happened to. */
export const newChain = ({ id, blockMs, genesisMs }: ChainSpec): Chain => ({
  chainId: id,
  delayBlocks: 0,
  baseHeight: 0,
  baseMs: genesisMs,
  blockMs: Ms(blockMs),
  stoppedMs: Ms(0),
})

/** The newest block; 0 before the first. */
export function heightAt({ baseHeight, baseMs, blockMs, stoppedMs }: Chain, timeMs: Ms): number {
  const untilMs = stoppedMs === 0 ? timeMs : stoppedMs
  return Math.max(0, baseHeight + Math.floor((untilMs - baseMs) / blockMs))
}

/** When the block is made, if nothing happens to the chain; infinite while it stands still. */
export function timeOfHeight(chain: Chain, height: number): Ms {
  const { baseHeight, baseMs, blockMs, stoppedMs } = chain
  const timeMs = baseMs + (height - baseHeight) * blockMs
  if (stoppedMs !== 0 && timeMs > stoppedMs) return Ms(Number.POSITIVE_INFINITY)
  return Ms(timeMs)
}

/** The block that takes a transfer which is made now. */
export const nextHeight = (chain: Chain, timeMs: Ms): number =>
  heightAt(chain, timeMs) + 1 + chain.delayBlocks

export const stopped = (chain: Chain, timeMs: Ms): Chain => ({ ...chain, stoppedMs: timeMs })

/** Continues with the part of a block that it had made. */
export function resumed(chain: Chain, timeMs: Ms): Chain {
  assert(chain.stoppedMs !== 0, 'a chain that stands still continues')
  const baseMs = Ms(chain.baseMs + timeMs - chain.stoppedMs)
  return { ...chain, baseMs, stoppedMs: Ms(0) }
}

/** Without its newest blocks: it is that much lower, and grows on. */
export const reorganised = (chain: Chain, blocks: number): Chain => ({
  ...chain,
  baseHeight: chain.baseHeight - blocks,
})
