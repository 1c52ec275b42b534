/** One history: only a trim takes blocks from the quorum, and each member's journals are its beginning. */

import { openDataFolder } from '../audit/data-folder.ts'
import { auditJournals } from '../audit/journal-audit.ts'
import { leftBlocks } from '../audit/left-journal.ts'
import type { PostgresServers } from '../postgres/postgres-servers.ts'

/** Accounts and orders of a symbol that an exchange of the chaos has at most. */
const BOUNDS = { accountsMax: 10_000, ordersMax: 100_000 }

const BLOCKS =
  'SELECT journal, position, previous, checksum FROM ringbook_blocks ORDER BY journal, position'

interface Block {
  readonly position: number
  readonly previous: number
  readonly checksum: number
}

export class History {
  private readonly servers: PostgresServers
  /** By journal: the checksum of each block, by position; undefined for one that was never seen. */
  private checksums = new Map<number, readonly (number | undefined)[]>()

  constructor(servers: PostgresServers) {
    this.servers = servers
  }

  /**
   * Returns what is wrong with the quorum's blocks, in sentences. After a trim the first ones may be gone,
   * but no block behind one that is there.
   */
  async check(): Promise<readonly string[]> {
    const shown = await this.shown()
    const findings: string[] = []
    for (const journal of new Set([...this.checksums.keys(), ...shown.keys()])) {
      const known = this.checksums.get(journal) ?? []
      const blocks = shown.get(journal) ?? []
      const end = blocks.at(-1)?.position ?? 0
      if (end < known.length) {
        findings.push(`blocks ${end + 1} to ${known.length} of journal ${journal} are gone`)
      }
      findings.push(...faultsOf(blocks, known).map((fault) => `${fault} of journal ${journal}`))
      this.checksums.set(journal, continued(known, blocks))
    }
    return findings
  }

  private async shown(): Promise<ReadonlyMap<number, readonly Block[]>> {
    const shown = new Map<number, Block[]>()
    for (const row of await this.servers.primary.query(BLOCKS)) {
      const blocks = shown.get(Number(row.journal)) ?? []
      shown.set(Number(row.journal), blocks)
      const { position, previous, checksum } = row
      blocks.push({
        position: Number(position),
        previous: Number(previous),
        checksum: Number(checksum),
      })
    }
    return shown
  }

  /** Compares the folders of members that do not run with the quorum, and with each other. */
  async compareFolders(folders: readonly string[]): Promise<readonly string[]> {
    const findings = [...(await this.check())]
    const hashes = new Map<string, number>()
    for (const [member, folder] of folders.entries()) {
      const data = await openDataFolder(folder)
      const {
        journals,
        hash,
        findings: unsound,
      } = auditJournals({
        data,
        ...BOUNDS,
        advanced: () => {},
      })
      findings.push(...unsound.map((sentence) => `member ${member}: ${sentence}`))
      for (const { matcher } of journals) {
        findings.push(...this.compareJournal(member, folder, matcher))
      }
      const blocks = journals.map(({ matcher, blocks }) => `${matcher}: ${blocks}`)
      const places = [`facts: ${data.facts.length}`, ...blocks].join(', ')
      const other = hashes.get(places)
      if (other !== undefined && other !== hash) {
        findings.push(
          `member ${member}: state hash ${hash} at ${places}, another member's ${other}`,
        )
      }
      hashes.set(places, hash)
    }
    if (hashes.size > 1) findings.push(`members end at ${[...hashes.keys()].join('; and at ')}`)
    return findings
  }

  private compareJournal(member: number, folder: string, matcher: number): string[] {
    const known = this.checksums.get(matcher) ?? []
    for (const { position, checksum } of leftBlocks(folder, matcher)) {
      const there = known[position - 1]
      if (there === checksum || (there === undefined && position <= known.length)) continue
      return [`member ${member}: block ${position} of journal-${matcher} is not the quorum's`]
    }
    return []
  }
}

/** Blocks that do not follow the one before, or are not those that were seen before. */
function faultsOf(blocks: readonly Block[], known: readonly (number | undefined)[]): string[] {
  const faults: string[] = []
  for (const [index, { position, previous, checksum }] of blocks.entries()) {
    const seen = known[position - 1]
    if (seen !== undefined && seen !== checksum) faults.push(`another block ${position}`)
    const before = blocks[index - 1]
    const chained = before?.checksum ?? known[position - 2]
    const isNext = before === undefined || position === before.position + 1
    if (!isNext || (chained !== undefined && previous !== chained)) {
      faults.push(`not the block before block ${position}`)
    }
  }
  return faults
}

function continued(
  known: readonly (number | undefined)[],
  blocks: readonly Block[],
): readonly (number | undefined)[] {
  const end = Math.max(known.length, blocks.at(-1)?.position ?? 0)
  const all = Array.from({ length: end }, (_, index) => known[index])
  for (const { position, checksum } of blocks) all[position - 1] = checksum
  return all
}
