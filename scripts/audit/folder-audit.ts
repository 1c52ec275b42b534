/**
 * Everything in a data folder that damage can reach, beside what journals and snapshots come to (journal-audit.ts):
 * pages of LMDB, manifests, keys, sealed segments, the archive and its summary. It changes nothing.
 */
import fs from 'node:fs'
import path from 'node:path'
import { archiveFolder } from '../../src/archive/archive-folder.ts'
import { proveArchive } from '../../src/archive/archive-proof.ts'
import { keySpecOf } from '../../src/control/keys.ts'
import { Registry } from '../../src/control/registry.ts'
import { openToken, TOKEN_FILE } from '../../src/control/token.ts'
import { Vault } from '../../src/control/vault.ts'
import { checkCopy, MANIFEST, readManifest } from '../../src/journal/backup.ts'
import { BlockReader } from '../../src/journal/block.ts'
import { BlockChain, type JournalPoint } from '../../src/journal/chain.ts'
import { keyFilesIn, SECRET_KEY } from '../../src/journal/content.ts'
import { JournalReader } from '../../src/journal/journal-reader.ts'
import { provePages } from '../../src/journal/lmdb-pages.ts'
import { blockName, journalFolder } from '../../src/journal/lmdb-store.ts'
import { journalsIn } from '../../src/journal/recovery.ts'
import {
  archiveBaseFile,
  beginningOf,
  SealedSegments,
  segmentsIn,
} from '../../src/journal/sealed-segments.ts'
import { FORK_MANIFEST } from '../../src/journal/states.ts'
import type { DataFolder } from './data-folder.ts'

/** What the files are, one by one. */
export interface FolderAudit {
  /** In sentences. */
  readonly findings: readonly string[]
  /** What a start makes again, as nothing proves that it was ever there. */
  readonly notes: readonly string[]
}

/** What is wrong with the files that everything else is read from, before that is tried. */
export function auditPages(folder: string): readonly string[] {
  const journals = journalsIn(folder).map((matcher) => journalFolder(folder, matcher))
  const stores = [path.join(folder, 'control'), ...journals]
  return [
    ...faultsOf(() => checkManifest(folder)),
    ...stores.flatMap((store) => faultsOf(() => proveStore(store))),
  ]
}

/** LMDB would make an empty file of one that is missing. */
function proveStore(folder: string): void {
  const file = path.join(folder, 'data.mdb')
  if (!fs.existsSync(file)) throw new Error(`${file} is no longer there.`)
  provePages(folder)
}

export function auditFiles(data: DataFolder): FolderAudit {
  const { folder, markFault } = data
  const isCopy = [MANIFEST, FORK_MANIFEST].some((name) => fs.existsSync(path.join(folder, name)))
  return {
    findings: [
      ...(markFault === undefined ? [] : [markFault]),
      ...faultsOf(() => checkSecrets(data)),
      ...keyFilesIn(folder).flatMap((name) => faultsOf(() => checkKeyFile(folder, name))),
      ...journalsIn(folder).flatMap((matcher) => faultsOf(() => checkSegments(folder, matcher))),
      ...checkSummary(data),
      ...checkArchive(data),
      ...(hasToken(folder) ? faultsOf(() => openToken(folder)) : []),
    ],
    notes: isCopy || data.epoch === 0 ? [] : missingOf(folder),
  }
}

const missingOf = (folder: string): readonly string[] => [
  ...(fs.existsSync(path.join(archiveFolder(folder), 'data.mdb'))
    ? []
    : ['There is no archive: a start makes it from the journals.']),
  ...(hasToken(folder) ? [] : [`There is no ${TOKEN_FILE}: a start makes another.`]),
]

const hasToken = (folder: string): boolean => fs.existsSync(path.join(folder, TOKEN_FILE))

/** Runs the check, and returns what it throws as a sentence. */
function faultsOf(check: () => unknown): readonly string[] {
  try {
    check()
    return []
  } catch (error) {
    return [(error as Error).message]
  }
}

function checkManifest(folder: string): void {
  if (fs.existsSync(path.join(folder, FORK_MANIFEST))) readManifest(folder, FORK_MANIFEST)
  if (!fs.existsSync(path.join(folder, MANIFEST))) return
  for (const steps = checkCopy(folder); steps.next().done !== true; );
}

function checkSecrets({ folder, facts }: DataFolder): void {
  const registry = new Registry()
  for (const fact of facts) registry.apply(fact)
  const vault = Vault.open(path.join(folder, SECRET_KEY), false)
  for (const key of registry.keys.values()) keySpecOf(key, vault)
}

function checkKeyFile(folder: string, name: string): void {
  const file = path.join(folder, name)
  let rows: unknown
  try {
    rows = JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch {
    throw new Error(`${file} is not a list of keys.`)
  }
  const isList = Array.isArray(rows) && rows.every((row) => typeof row?.apiKey === 'string')
  if (!isList) throw new Error(`${file} is not a list of keys.`)
}

/** Reads every sealed block, also of those that LMDB still has. */
function checkSegments(folder: string, matcher: number): void {
  const journal = journalFolder(folder, matcher)
  const segments = new SealedSegments(journal)
  const block = new BlockReader()
  let chain: BlockChain | undefined
  for (const { first, last } of segmentsIn(journal)) {
    for (let position = first; position <= last; position++) {
      const place = blockName(journal, position)
      const bytes = segments.block(position)
      if (bytes === undefined) throw new Error(`${place} is not in its sealed segment.`)
      block.open(bytes, place)
      if (chain?.position !== position - 1) {
        chain = new BlockChain(matcher, { position: position - 1, checksum: block.previous })
      }
      chain.check(block, place)
      chain.advance(block)
    }
  }
}

/** What retention left of removed blocks. */
function checkSummary(data: DataFolder): readonly string[] {
  const { folder } = data
  const file = archiveBaseFile(folder)
  const isNeeded = journalsIn(folder).some(
    (matcher) => beginningOf(journalFolder(folder, matcher)).position > 0,
  )
  if (!isNeeded) return []
  if (!fs.existsSync(file)) return [`${file} is no longer there, and blocks were removed.`]
  return faultsOf(() => checkRows(data, path.dirname(file), true))
}

function checkArchive(data: DataFolder): readonly string[] {
  const archive = archiveFolder(data.folder)
  const file = path.join(archive, 'data.mdb')
  if (!fs.existsSync(file)) return []
  if (fs.statSync(file).size === 0) return [`${file} is empty. A start makes the archive again.`]
  return faultsOf(() => checkRows(data, archive, false)).map(
    (sentence) => `${sentence} A start makes the archive again.`,
  )
}

/** Throws unless the pages and rows are whole, and the journals have the blocks that it goes to. */
function checkRows({ folder }: DataFolder, archive: string, isSummary: boolean): void {
  for (const [matcher, place] of proveArchive(archive) ?? []) {
    const journal = journalFolder(folder, matcher)
    if (isSummary && place.position < beginningOf(journal).position) {
      throw new Error(`${archive} lacks blocks of journal-${matcher} that were removed.`)
    }
    checkPlace(journal, place, archive)
  }
}

function checkPlace(journal: string, { position, checksum }: JournalPoint, archive: string): void {
  const reader = new JournalReader(journal)
  try {
    const bytes = reader.block(position)
    // The write-ahead log may have it.
    if (bytes === undefined) return
    const block = new BlockReader()
    block.open(bytes, blockName(journal, position))
    if (block.checksum === checksum) return
    throw new Error(`${archive} was made from another ${path.basename(journal)}.`)
  } finally {
    reader.close()
  }
}
