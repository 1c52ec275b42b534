/** Facts of the control journal as blocks of the quorum: each is its JSON text, chained by checksums. */
import { controlSum } from '../journal/control-store.ts'
import { CONTROL_JOURNAL, type QuorumBlock, type QuorumPoint } from './quorum.ts'

/** Returns the block that follows `end`. */
export function controlBlock(text: Uint8Array, end: QuorumPoint): QuorumBlock {
  return {
    journal: CONTROL_JOURNAL,
    position: end.position + 1,
    previous: end.checksum,
    checksum: controlSum(text, end.checksum),
    bytes: text,
  }
}

const NEWLINE = 10

/** JSON texts have no line ends. */
export const joinFacts = (texts: readonly string[]): Uint8Array => Buffer.from(texts.join('\n'))

/** Returns joined facts one by one. */
export const linesOf = (lines: Uint8Array): readonly string[] =>
  Buffer.from(lines).toString('utf8').split('\n')

/** Returns the blocks of joined facts behind `end`. */
export function factBlocks(lines: Uint8Array, end: QuorumPoint): readonly QuorumBlock[] {
  const blocks: QuorumBlock[] = []
  for (let at = 0, last = end; at < lines.length; ) {
    const found = lines.indexOf(NEWLINE, at)
    const until = found === -1 ? lines.length : found
    const block = controlBlock(lines.subarray(at, until), last)
    blocks.push(block)
    last = block
    at = until + 1
  }
  return blocks
}
