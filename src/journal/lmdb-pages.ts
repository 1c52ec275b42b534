/**
 * Proves the pages of an LMDB file, which has no checksums: walks its trees from the meta page that LMDB uses, and
 * throws at the first page that LMDB cannot have written. So no row is out of reach, no page of the list of free
 * pages is in use, and what is left to prove are the bytes of keys and values. Reads the file beside LMDB, while no
 * transaction writes it.
 *
 * ```
 *  0            8                16    18      20            24
 *  ┌────────────┬────────────────┬─────┬───────┬─────────────┬─────────────────┬──────┬───────┐
 *  │ its number │ transaction    │ pad │ flags │ lower upper │ places of nodes │ room │ nodes │   branch, leaf
 *  │            │ that wrote it  │     │       │ its pages   │ a value                        │   overflow
 *  └────────────┴────────────────┴─────┴───────┴─────────────┴─────────────────┴──────┴───────┘
 * ```
 *
 * lower, upper and places count from byte 24. A node has 8 bytes before its key: size of the value (leaf) or number
 * of the child (branch), flags, size of the key. Two meta pages are written in turn, each with the roots of two
 * trees: free pages by transaction, and the unnamed table, whose rows name the others.
 */
import * as fs from 'node:fs'
import path from 'node:path'
import { storeFault } from '../base/file-fault.ts'
import { PAGE_BYTES, StorageError } from './environment.ts'

const HEAD_BYTES = 24
const META_PAGES = 2
const PageFlag = { BRANCH: 1, LEAF: 2, OVERFLOW: 4, META: 8 } as const
const NodeFlag = { OVERFLOW: 1, TREE: 2 } as const
const NODE_BYTES = 8
/** Offsets in a meta page. */
const MAP_BYTES_AT = 40
const FREE_TREE_AT = 48
const MAIN_TREE_AT = 96
const LAST_PAGE_AT = 144
const TRANSACTION_AT = 152
const TREE_BYTES = 48
/** Bytes that stand for a value on separate pages: their first page, transaction, number. */
const OVERFLOW_BYTES = 24
const NO_ROOT = 0xffff_ffff_ffff_ffffn
const SIGNATURE = [0xbeefc0de, 2] as const
const MAP_BYTES_MAX = 2 ** 46

/** What a tree's record contains. */
interface Tree {
  readonly name: string
  readonly isFreePages: boolean
  readonly depth: number
  readonly branches: number
  readonly leaves: number
  readonly overflows: number
  readonly entries: number
  readonly root: bigint
}

/** A page that is still to be looked at: its keys are from `least` on, and below `bound`. */
interface PageVisit {
  readonly page: number
  readonly level: number
  readonly least: Buffer | undefined
  readonly bound: Buffer | undefined
}

/** The file is not as LMDB writes it; the message names the page. */
class PageDamage extends Error {
  override readonly name = 'PageDamage'
}

/** For a file that is not made again. */
const WAY_OUT = 'Put a whole copy of it in its place, or restore a backup (ringbook restore).'

/**
 * Proves the file in a folder; of one that is larger than `wholeBytesMax`, the first and last pages of each tree.
 * Throws StorageError, which names the file and the way out.
 */
export function provePages(folder: string, wholeBytesMax = Number.POSITIVE_INFINITY): void {
  try {
    for (const steps = pageSteps(folder, wholeBytesMax); steps.next().done !== true; );
  } catch (error) {
    const { message, cause } = error as StorageError
    throw cause instanceof PageDamage ? new StorageError(`${message} ${WAY_OUT}`, { cause }) : error
  }
}

/** `provePages` as a generator, which yields between pages. Its errors name no way out. */
export function* pageSteps(
  folder: string,
  wholeBytesMax = Number.POSITIVE_INFINITY,
): Generator<void, void, void> {
  const file = path.join(folder, 'data.mdb')
  if (!fs.existsSync(file)) return
  try {
    yield* stepsOf(file, wholeBytesMax)
  } catch (error) {
    throw new StorageError(
      error instanceof PageDamage
        ? `${file} is damaged: ${error.message}.`
        : storeFault(folder, 'used', error),
      { cause: error },
    )
  }
}

function* stepsOf(file: string, wholeBytesMax: number): Generator<void, void, void> {
  const opened = fs.openSync(file, 'r')
  try {
    const { size } = fs.fstatSync(opened)
    // LMDB makes an empty file a new one.
    if (size > 0) yield* new Pages(opened, size <= wholeBytesMax).prove()
  } finally {
    fs.closeSync(opened)
  }
}

/**
 * Returns the rows of a small table without LMDB, which may end the process over what is damaged. Proves the
 * pages of that table alone. Throws StorageError.
 */
export function rowsWithoutLmdb(folder: string, table: string): readonly PageRow[] {
  const file = path.join(folder, 'data.mdb')
  if (!fs.existsSync(file)) return []
  try {
    const opened = fs.openSync(file, 'r')
    try {
      return fs.fstatSync(opened).size === 0 ? [] : new Pages(opened, true).rows(table)
    } finally {
      fs.closeSync(opened)
    }
  } catch (error) {
    throw new StorageError(storeFault(folder, 'used', error), { cause: error })
  }
}

export interface PageRow {
  readonly key: Uint8Array
  readonly value: Uint8Array
}

class Pages {
  private readonly file: number
  private readonly isWhole: boolean
  private readonly used: Uint8Array
  private readonly lastPage: number
  private readonly transaction: bigint
  private readonly meta: Buffer

  constructor(file: number, isWhole: boolean) {
    this.file = file
    this.isWhole = isWhole
    const metas = [0, 1].map((page) => checkedMeta(this.read(page), page))
    const [first, second] = metas.map((meta) => meta.readBigUInt64LE(TRANSACTION_AT))
    const apart = first! - second!
    refuseIf(apart > 1n || apart < -1n, `its meta pages are of transactions ${first} and ${second}`)
    this.meta = apart > 0n ? metas[0]! : metas[1]!
    this.transaction = apart > 0n ? first! : second!
    this.lastPage = Number(this.meta.readBigUInt64LE(LAST_PAGE_AT))
    const isPossible = this.lastPage >= 1 && this.lastPage * PAGE_BYTES < MAP_BYTES_MAX
    refuseIf(!isPossible, `it cannot have ${this.lastPage} pages`)
    this.used = new Uint8Array(this.lastPage + 1)
  }

  *prove(): Generator<void, void, void> {
    const { meta, isWhole } = this
    const free: number[] = []
    const tables: Tree[] = []
    yield* this.tables(tables)
    for (const tree of tables) yield* this.tree(tree, () => {})
    const listed = treeIn(meta.subarray(FREE_TREE_AT), 'the list of free pages', true)
    yield* this.tree(listed, (_, value) => addFree(free, value))
    // What a tree has on pages that were not read is not known.
    if (isWhole) for (const page of free) this.take(page, 'the list of free pages')
  }

  rows(table: string): readonly PageRow[] {
    const tables: Tree[] = []
    for (const steps = this.tables(tables); steps.next().done !== true; );
    const rows: PageRow[] = []
    const tree = tables.find(({ name }) => name === nameOf(table))
    if (tree === undefined) return rows
    const steps = this.tree(tree, (key, value) => rows.push({ key, value }))
    while (steps.next().done !== true);
    return rows
  }

  /** Adds what the unnamed table has of each named one. */
  private *tables(tables: Tree[]): Generator<void, void, void> {
    const main = treeIn(this.meta.subarray(MAIN_TREE_AT), 'the unnamed table', false)
    yield* this.tree(main, (key, value, flags) => {
      if ((flags & NodeFlag.TREE) === 0) return
      const name = nameOf(key.toString('latin1').replace(/\0+$/, ''))
      refuseIf(value.length !== TREE_BYTES, `${name} has no record of a tree`)
      tables.push(treeIn(value, name, false))
    })
  }

  private *tree(
    tree: Tree,
    row: (key: Buffer, value: Buffer, flags: number) => void,
  ): Generator<void, void, void> {
    const { name, depth } = tree
    const counted = { branches: 0, leaves: 0, overflows: 0, entries: 0 }
    if (tree.root !== NO_ROOT) {
      const waiting: PageVisit[] = [
        { page: Number(tree.root), level: 1, least: undefined, bound: undefined },
      ]
      for (let visit = waiting.pop(); visit !== undefined; visit = waiting.pop()) {
        const isLeaf = visit.level === depth
        const { keys, nodes } = this.nodes(visit, tree, isLeaf)
        if (isLeaf) {
          counted.leaves++
          counted.entries += nodes.length
          for (const [i, node] of nodes.entries()) {
            const value = this.value(node, tree, counted)
            row(keys[i]!, value, node.flags)
          }
        } else {
          counted.branches++
          for (const [i, { child }] of nodes.entries()) {
            const isEdge = i === 0 || i === nodes.length - 1
            if (!this.isWhole && !isEdge) continue
            const bound = keys[i + 1] ?? visit.bound
            const least = i === 0 ? visit.least : keys[i]
            waiting.push({ page: child, level: visit.level + 1, least, bound })
          }
        }
        yield
      }
    }
    if (!this.isWhole) return
    for (const what of ['branches', 'leaves', 'overflows', 'entries'] as const) {
      refuseIf(
        counted[what] !== tree[what],
        `${name} has ${counted[what]} ${what}, not ${tree[what]}`,
      )
    }
  }

  /** Returns the nodes of a branch or leaf, which fill it, with keys in their order and within its bounds. */
  private nodes({ page, least, bound }: PageVisit, { name, isFreePages }: Tree, isLeaf: boolean) {
    this.take(page, name)
    const bytes = this.read(page)
    const what = `page ${page} of ${name}`
    this.checkHead(bytes, page, isLeaf ? PageFlag.LEAF : PageFlag.BRANCH, what)
    const [lower, upper] = [bytes.readUInt16LE(20), bytes.readUInt16LE(22)]
    const count = lower >> 1
    const isPossible = lower % 2 === 0 && lower <= upper && upper <= PAGE_BYTES - HEAD_BYTES
    refuseIf(!isPossible || count === 0, `${what} has no possible room`)
    const nodes: Node[] = []
    const keys: Buffer[] = []
    let filled = 0
    let last = least
    for (let i = 0; i < count; i++) {
      const at = bytes.readUInt16LE(HEAD_BYTES + 2 * i)
      refuseIf(
        at < upper || at + NODE_BYTES + HEAD_BYTES > PAGE_BYTES,
        `${what} has a node elsewhere`,
      )
      const node = nodeAt(bytes, HEAD_BYTES + at, isLeaf)
      filled += node.bytes
      refuseIf(HEAD_BYTES + at + node.bytes > PAGE_BYTES, `${what} has a node without an end`)
      // The first key of a branch counts as the lowest, whatever it is.
      const isCompared = isLeaf || i > 0
      if (isCompared) {
        const isAbove = last === undefined || order(last, node.key, isFreePages) < (i === 0 ? 1 : 0)
        const isBelow = bound === undefined || order(node.key, bound, isFreePages) < 0
        refuseIf(!isAbove || !isBelow, `${what} has a key out of its order`)
        last = node.key
      }
      nodes.push(node)
      keys.push(node.key)
    }
    refuseIf(filled !== PAGE_BYTES - HEAD_BYTES - upper, `${what} is not filled by its nodes`)
    return { nodes, keys }
  }

  /** Returns the value of a leaf's node. Counts the pages of one that has its own. */
  private value(node: Node, { name, isFreePages }: Tree, counted: { overflows: number }): Buffer {
    if ((node.flags & NodeFlag.OVERFLOW) === 0) return node.value
    const page = Number(node.value.readBigUInt64LE(0))
    const pages = Number(node.value.readBigUInt64LE(16))
    const what = `a value of ${name}`
    // A shorter value in the place of a longer one keeps its pages.
    const isEnough = pages * PAGE_BYTES >= HEAD_BYTES + node.valueBytes
    refuseIf(!isEnough || pages > this.lastPage, `${what} has other pages`)
    for (let i = 0; i < pages; i++) this.take(page + i, name)
    const bytes = this.read(page, isFreePages ? pages : 1)
    this.checkHead(bytes, page, PageFlag.OVERFLOW, what)
    refuseIf(
      bytes.readUInt32LE(20) !== pages,
      `${what} on page ${page} is not as long as its row says`,
    )
    counted.overflows += pages
    return bytes.subarray(HEAD_BYTES, HEAD_BYTES + node.valueBytes)
  }

  private checkHead(bytes: Buffer, page: number, flag: number, what: string): void {
    // Further flags are of LMDB's memory.
    const isOwn = bytes.readBigUInt64LE(0) === BigInt(page) && bytes.readUInt8(18) === flag
    const isWritten = bytes.readBigUInt64LE(8) <= this.transaction
    refuseIf(!isOwn || !isWritten, `${what} does not begin as it must`)
  }

  private take(page: number, name: string): void {
    refuseIf(
      page < META_PAGES || page > this.lastPage,
      `${name} has page ${page}, which is not there`,
    )
    refuseIf(this.used[page] === 1, `${name} has page ${page}, which is used already`)
    this.used[page] = 1
  }

  private read(page: number, pages = 1): Buffer {
    const bytes = Buffer.allocUnsafe(pages * PAGE_BYTES)
    const read = fs.readSync(this.file, bytes, 0, bytes.length, page * PAGE_BYTES)
    refuseIf(bytes.length - read >= PAGE_BYTES, `page ${page} is behind its end`)
    // What lacks of a page a start fills with zeros (checkLength), and proves then.
    bytes.fill(0, read)
    return bytes
  }
}

const nameOf = (table: string): string => `table ${table}`

interface Node {
  readonly flags: number
  readonly key: Buffer
  /** Number of a branch's child. */
  readonly child: number
  /** What stands in the page, and the size of the value itself. */
  readonly value: Buffer
  readonly valueBytes: number
  /** Bytes that the node takes of its page. */
  readonly bytes: number
}

function nodeAt(page: Buffer, at: number, isLeaf: boolean): Node {
  const valueBytes = page.readUInt32LE(at)
  const flags = page.readUInt16LE(at + 4)
  const keyBytes = page.readUInt16LE(at + 6)
  const isOverflow = isLeaf && (flags & NodeFlag.OVERFLOW) !== 0
  refuseIf(isLeaf && flags > NodeFlag.TREE, 'a row has flags that are not in use')
  const own = isLeaf ? (isOverflow ? OVERFLOW_BYTES : valueBytes) : 0
  const keyAt = at + NODE_BYTES
  const key = page.subarray(keyAt, keyAt + keyBytes)
  const value = page.subarray(keyAt + keyBytes, keyAt + keyBytes + own)
  // In a branch, flags are the upper part of the child's number.
  const child = valueBytes + flags * 2 ** 32
  const bytes = Math.ceil((NODE_BYTES + keyBytes + own) / 2) * 2
  return { flags, key, child, value, valueBytes, bytes }
}

/** Keys of free pages are transactions, as numbers; others are compared byte by byte. */
function order(a: Buffer, b: Buffer, isNumbers: boolean): number {
  if (!isNumbers) return Buffer.compare(a, b)
  refuseIf(a.length !== 8 || b.length !== 8, 'the list of free pages has a key of another length')
  return Number(a.readBigUInt64LE() - b.readBigUInt64LE())
}

function treeIn(record: Buffer, name: string, isFreePages: boolean): Tree {
  const number = (at: number) => Number(record.readBigUInt64LE(at))
  return {
    name,
    isFreePages,
    depth: record.readUInt16LE(6),
    root: record.readBigUInt64LE(40),
    branches: number(8),
    leaves: number(16),
    overflows: number(24),
    entries: number(32),
  }
}

/** Adds pages of a row: their count, then numbers; a negative one is how many follow the next one, 0 is none. */
function addFree(free: number[], value: Buffer): void {
  const what = 'the list of free pages has a row'
  const count = Number(value.readBigUInt64LE(0))
  refuseIf(8 * (count + 1) > value.length, `${what} without an end`)
  for (let i = 1; i <= count; i++) {
    const entry = Number(value.readBigInt64LE(8 * i))
    if (entry === 0) continue
    if (entry > 0) free.push(entry)
    else {
      refuseIf(++i > count, `${what} that ends within a run`)
      const first = Number(value.readBigInt64LE(8 * i))
      refuseIf(-entry > 2 ** 32, `${what} with a run of no possible length`)
      for (let page = 0; page < -entry; page++) free.push(first + page)
    }
  }
}

function checkedMeta(bytes: Buffer, page: number): Buffer {
  const isSigned = SIGNATURE.every((word, i) => bytes.readUInt32LE(HEAD_BYTES + 4 * i) === word)
  const isMeta =
    bytes.readUInt16LE(18) === PageFlag.META && bytes.readBigUInt64LE(0) === BigInt(page)
  refuseIf(!isSigned || !isMeta, `its meta page ${page} does not begin as it must`)
  refuseIf(bytes.readUInt32LE(FREE_TREE_AT) !== PAGE_BYTES, `its meta page ${page} has other pages`)
  const mapBytes = Number(bytes.readBigUInt64LE(MAP_BYTES_AT))
  refuseIf(mapBytes > MAP_BYTES_MAX, `its meta page ${page} has no possible size`)
  return bytes
}

function refuseIf(damaged: boolean, what: string): void {
  if (damaged) throw new PageDamage(what)
}
