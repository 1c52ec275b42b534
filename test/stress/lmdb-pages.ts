/**
 * Reads an LMDB file without LMDB, and finds the owner of each page. Every page must be part of one tree, or
 * stand once in the list of free pages; one that is both would be overwritten while it is in use. Files of
 * LMDB's format 2, of 4096 bytes a page, little-endian.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { PAGE_BYTES } from '../../src/journal/environment.ts'

export interface PageAudit {
  /** Each names a page and its two owners, or an owner that has a page which is not in the file. */
  readonly faults: readonly string[]
  /** Pages that no tree and no list has: they are never used again. */
  readonly lostPages: number
}

/** Offsets in a page of the two whose later one names the roots, and in the description of a tree. */
const FREE_TREE_AT = 48
const MAIN_TREE_AT = 96
const LAST_PAGE_AT = 144
const TRANSACTION_AT = 152
const ROOT_AT = 40
/** Offsets in the head of a page, and its length. */
const FLAGS_AT = 18
const NODES_END_AT = 20
const OVERFLOW_PAGES_AT = 20
const HEAD_BYTES = 24
const IS_BRANCH = 1
/** Offsets in the head of a node, its length and its flags. */
const NODE_FLAGS_AT = 4
const KEY_BYTES_AT = 6
const NODE_HEAD_BYTES = 8
const IS_OVERFLOW = 1
const IS_TREE = 2

/** Where a row's value is in the file. */
type Visit = (valueAt: number, valueBytes: number, isTree: boolean) => void

class PageAuditor {
  private readonly file: Buffer
  private readonly pages: number
  private readonly meta: number
  private readonly owners: (string | undefined)[]
  private readonly faults: string[] = []

  constructor(file: Buffer) {
    this.file = file
    const second = this.word(PAGE_BYTES + TRANSACTION_AT) > this.word(TRANSACTION_AT)
    this.meta = second ? PAGE_BYTES : 0
    this.pages = this.word(this.meta + LAST_PAGE_AT) + 1
    this.owners = Array.from({ length: this.pages })
  }

  audit(): PageAudit {
    this.own(0, 2, 'the head')
    this.tree(this.meta + FREE_TREE_AT, 'the free list', (at, bytes) => this.list(at, bytes))
    this.tree(this.meta + MAIN_TREE_AT, 'the main tree', (at, _, isTree) => {
      if (isTree) this.tree(at, `the tree at ${at}`, () => {})
    })
    const lostPages = this.owners.filter((owner) => owner === undefined).length
    return { faults: this.faults, lostPages }
  }

  private word(at: number): number {
    return Number(this.file.readBigInt64LE(at))
  }

  private own(first: number, pages: number, owner: string): void {
    for (let page = first; page < first + pages; page++) {
      const other = this.owners[page]
      if (page < 0 || page >= this.pages) this.faults.push(`${owner} has page ${page}`)
      else if (other === undefined) this.owners[page] = owner
      else this.faults.push(`page ${page} is of ${other} and of ${owner}`)
    }
  }

  private tree(descriptionAt: number, name: string, visit: Visit): void {
    const root = this.word(descriptionAt + ROOT_AT)
    if (root >= 0) this.page(root, name, visit)
  }

  private page(page: number, name: string, visit: Visit): void {
    this.own(page, 1, name)
    const at = page * PAGE_BYTES
    if (at >= this.file.length || this.word(at) !== page) {
      this.faults.push(`page ${page} of ${name} is another's`)
      return
    }
    const isBranch = (this.file.readUInt16LE(at + FLAGS_AT) & IS_BRANCH) !== 0
    const nodes = this.file.readUInt16LE(at + NODES_END_AT) / 2
    for (let n = 0; n < nodes; n++) {
      const node = at + HEAD_BYTES + this.file.readUInt16LE(at + HEAD_BYTES + 2 * n)
      const low = this.file.readUInt32LE(node)
      const flags = this.file.readUInt16LE(node + NODE_FLAGS_AT)
      if (isBranch) this.page(low + flags * 2 ** 32, name, visit)
      else this.row(node, low, flags, name, visit)
    }
  }

  private row(node: number, bytes: number, flags: number, name: string, visit: Visit): void {
    let at = node + NODE_HEAD_BYTES + this.file.readUInt16LE(node + KEY_BYTES_AT)
    if ((flags & IS_OVERFLOW) !== 0) {
      const page = this.word(at)
      at = page * PAGE_BYTES + HEAD_BYTES
      this.own(page, this.file.readUInt32LE(page * PAGE_BYTES + OVERFLOW_PAGES_AT), name)
    }
    visit(at, bytes, (flags & IS_TREE) !== 0)
  }

  /** A count, then pages: one, or minus the length of a run and its first; 0 is a gap. */
  private list(at: number, bytes: number): void {
    const count = this.word(at)
    if ((count + 1) * 8 > bytes) this.faults.push(`a list of ${count} in ${bytes} bytes`)
    for (let n = 1; n <= count; n++) {
      const entry = this.word(at + 8 * n)
      if (entry > 0) this.own(entry, 1, 'the free pages')
      else if (entry < 0) this.own(this.word(at + 8 * ++n), -entry, 'the free pages')
    }
  }
}

/** Audits the file of an environment, between two transactions. */
export const auditPages = (folder: string): PageAudit =>
  new PageAuditor(readFileSync(path.join(folder, 'data.mdb'))).audit()

/** Throws unless every page of the file is used, or free, once. */
export function assertPages(folder: string): void {
  const { faults, lostPages } = auditPages(folder)
  const [first] = lostPages > 0 ? [`${lostPages} pages are lost`] : faults
  if (first !== undefined) throw new Error(`${faults.length} faults of pages: ${first}`)
}
