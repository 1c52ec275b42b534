/** One history: what the quorum has only grows, and each member's journals are its beginning. */

import { openDataFolder } from '../audit/data-folder.ts'
import { auditJournals } from '../audit/journal-audit.ts'
import { leftBlocks } from '../audit/left-journal.ts'
import type { PostgresServers } from '../postgres/postgres-servers.ts'

/** Accounts and orders of a symbol that an exchange of the chaos has at most. */
const BOUNDS = { accountsMax: 10_000, ordersMax: 100_000 }

const BROKEN = `SELECT journal, position FROM (
  SELECT journal, position, previous, lag(position, 1, 0::bigint) OVER all_before AS before,
    lag(checksum, 1, 0) OVER all_before AS checksum
  FROM ringbook_blocks WINDOW all_before AS (PARTITION BY journal ORDER BY position)
) AS blocks WHERE position <> before + 1 OR previous <> checksum`

const ENDS = `SELECT DISTINCT ON (journal) journal, position, checksum FROM ringbook_blocks
  ORDER BY journal, position DESC`

interface Place {
  readonly position: number
  readonly checksum: number
}

export class History {
  readonly #servers: PostgresServers
  /** By journal: the end that was seen last. */
  #ends = new Map<number, Place>()

  constructor(servers: PostgresServers) {
    this.#servers = servers
  }

  /** Returns what is wrong with the quorum's blocks, in sentences. */
  async check(): Promise<readonly string[]> {
    const { primary } = this.#servers
    const broken = await primary.query(BROKEN)
    const findings = broken.map(
      ({ journal, position }) =>
        `block ${position} of journal ${journal} does not follow the one before on the quorum`,
    )
    for (const [journal, { position, checksum }] of this.#ends) {
      const [row] = await primary.query(
        `SELECT checksum FROM ringbook_blocks WHERE journal = ${journal} AND position = ${position}`,
      )
      if (row?.checksum === checksum) continue
      findings.push(`block ${position} of journal ${journal} is another one on the quorum, or gone`)
    }
    const rows = await primary.query(ENDS)
    this.#ends = new Map(
      rows.map(({ journal, position, checksum }) => [
        Number(journal),
        { position: Number(position), checksum: Number(checksum) },
      ]),
    )
    return findings
  }

  /** Compares the folders of members that do not run with the quorum, and with each other. */
  async compareFolders(folders: readonly string[]): Promise<readonly string[]> {
    const findings: string[] = []
    const hashes = new Map<string, number>()
    for (const [member, folder] of folders.entries()) {
      const data = await openDataFolder(folder)
      const {
        journals,
        hash,
        findings: unsound,
      } = auditJournals({
        ...{ data, ...BOUNDS, advanced: () => {} },
      })
      findings.push(...unsound.map((sentence) => `member ${member}: ${sentence}`))
      for (const { matcher } of journals) {
        findings.push(...(await this.#compareJournal(member, folder, matcher)))
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

  async #compareJournal(member: number, folder: string, matcher: number): Promise<string[]> {
    const rows = await this.#servers.primary.query(
      `SELECT checksum FROM ringbook_blocks WHERE journal = ${matcher} ORDER BY position`,
    )
    for (const { position, checksum } of leftBlocks(folder, matcher)) {
      if (rows[position - 1]?.checksum === checksum) continue
      return [`member ${member}: block ${position} of journal-${matcher} is not the quorum's`]
    }
    return []
  }
}
