/**
 * What gateways have committed to their command rings, seen before they publish it: only then can be told
 * which command of a symbol a request has become.
 */
import { RecordHeader } from '../../../src/layout/accessors.gen.ts'
import { WALLET } from '../../../src/market/listing.ts'
import { CommandRingProducer } from '../../../src/ring/command-ring.ts'
import { type Command, decode } from '../commands.ts'

/** By the memory of a ring that is watched: what was committed to it since it was last looked at. */
const commands = new WeakMap<ArrayBufferLike, Command[]>()

/** From now on; the ring's writer is made later. */
export function watchCommitted(memory: SharedArrayBuffer): void {
  commands.set(memory, [])
}

/** Commands that were committed since the last call, oldest first. */
export function takeCommitted(memory: SharedArrayBuffer): readonly Command[] {
  return commands.get(memory)?.splice(0) ?? []
}

const claimed = new WeakMap<CommandRingProducer, number>()
const { claim, commit } = CommandRingProducer.prototype

CommandRingProducer.prototype.claim = function (count) {
  const at = claim.call(this, count)
  claimed.set(this, at)
  return at
}

CommandRingProducer.prototype.commit = function () {
  const at = claimed.get(this)!
  const isOfSymbol = RecordHeader.symbolId(this.buffer, at) !== WALLET
  if (isOfSymbol) {
    commands.get(this.buffer.bytes.buffer)?.push(decode(this.buffer, at))
  }
  commit.call(this)
}
