/**
 * Records what a process does with the files of a folder, and makes every kind of state in which a power
 * loss may leave them. Bytes are on the disk once their file was flushed, a name once its folder was; of
 * all other names and bytes any may be there and any may not. A moment is taken before and after each
 * change. LMDB writes in native code, and is believed that a transaction to the disk is there whole, which
 * file-acts.test.ts sees.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { Environment, Sync } from '../../src/journal/environment.ts'

/** Files that no start reads. */
const IGNORED = new Set(['lock.mdb', 'probe'])
/** At each of them the folder is looked at, before and after. */
const CHANGES = ['mkdirSync', 'renameSync', 'rmSync', 'unlinkSync', 'copyFileSync'] as const
const FLUSHES = ['fsyncSync', 'fdatasyncSync'] as const
const WRITES = ['writeSync', 'writeFileSync', 'ftruncateSync', 'openSync'] as const
const SEAMS = [...CHANGES, ...FLUSHES, ...WRITES] as const
type Call = (...given: unknown[]) => unknown

/** A file, or a folder, whose names stand in `Names`. */
class Node {
  readonly isFolder: boolean
  /** What the kernel has, and what the disk has. */
  written = Buffer.alloc(0)
  flushed = Buffer.alloc(0)

  constructor(isFolder: boolean) {
    this.isFolder = isFolder
  }
}

type Place = readonly [folder: Node, name: string]
/** A name that is given or taken away, or both at once. */
interface Naming {
  readonly node: Node
  readonly from?: Place
  readonly to?: Place
}
type Names = ReadonlyMap<Node, ReadonlyMap<string, Node>>

/** What the disk has at one moment, and what may be there besides. */
interface Moment {
  /** The last mark before it. */
  readonly mark: string
  readonly names: Names
  readonly pending: readonly Naming[]
  readonly bytes: ReadonlyMap<Node, { readonly flushed: Buffer; readonly written: Buffer }>
}

/** Files by their paths below the folder; undefined is a folder. */
export type State = ReadonlyMap<string, Buffer | undefined>

export interface Loss {
  readonly mark: string
  /** What is there of what was not flushed, for the message of a failure. */
  readonly kept: string
  readonly state: State
}

export class RecordedDisk {
  private readonly folder: string
  private readonly root = new Node(true)
  private readonly nodes = new Map<number, Node>()
  /** Names as the kernel has them, and as the disk does. */
  private names = new Map<Node, Map<string, Node>>()
  private disk = new Map<Node, Map<string, Node>>()
  private pending: Naming[] = []
  private readonly moments: Moment[] = []
  private mark = ''
  private isLooking = false

  /** All that is in the folder now is on the disk. */
  constructor(folder: string) {
    this.folder = folder
    this.nodes.set(fs.statSync(folder).ino, this.root)
    this.look()
    for (const node of this.nodes.values()) node.flushed = node.written
    this.disk = copyOf(this.names)
    this.pending = []
    this.moments.length = 0
  }

  /** Watches while the action runs. `mark` names what others receive from then on. */
  async record(action: (mark: (what: string) => void) => void | Promise<void>): Promise<void> {
    const restore = [this.watchFiles(), this.watchEnvironments()]
    try {
      this.moment()
      await action((what) => {
        this.look()
        this.mark = what
        this.moment()
      })
      this.look()
      this.moment()
    } finally {
      for (const undo of restore) undo()
    }
  }

  /** Every kind of state, each once for each mark. */
  *losses(): Generator<Loss> {
    const seen = new Set<string>()
    for (const moment of this.moments) {
      for (const { kept, namings, bytesOf } of keptOf(moment)) {
        const state = new Map<string, Buffer | undefined>()
        gather(state, this.root, '', withNamings(moment.names, namings), bytesOf)
        const digest = `${moment.mark} ${digestOf(state)}`
        if (seen.has(digest)) continue
        seen.add(digest)
        yield { mark: moment.mark, kept, state }
      }
    }
  }

  private watchFiles(): () => void {
    const real = Object.fromEntries(SEAMS.map((seam) => [seam, fs[seam]])) as unknown as Record<
      (typeof SEAMS)[number],
      Call
    >
    const around = (call: Call, flushed: (given: readonly unknown[]) => number | undefined) => {
      return (...given: unknown[]): unknown => {
        if (this.isLooking) return call(...given)
        this.look()
        const inode = flushed(given)
        const result = call(...given)
        this.look()
        if (inode !== undefined) this.flush(inode)
        return result
      }
    }
    const isFlushing = ([file, , options]: readonly unknown[]) =>
      (options as { flush?: boolean } | undefined)?.flush === true ? String(file) : undefined
    Object.assign(fs, {
      ...Object.fromEntries(CHANGES.map((it) => [it, around(real[it], () => undefined)])),
      ...Object.fromEntries(WRITES.map((it) => [it, around(real[it], () => undefined)])),
      ...Object.fromEntries(
        FLUSHES.map((it) => [it, around(real[it], ([file]) => fs.fstatSync(file as number).ino)]),
      ),
      writeFileSync: (...given: unknown[]) => {
        around(real.writeFileSync, () => undefined)(...given)
        const file = isFlushing(given)
        if (file !== undefined) this.flush(fs.statSync(file).ino)
      },
    })
    syncBuiltinESMExports()
    return () => {
      Object.assign(fs, real)
      syncBuiltinESMExports()
    }
  }

  private watchEnvironments(): () => void {
    const { write, flush } = Environment.prototype
    const flushed = ({ folder }: Environment) => {
      this.look(false)
      const file = path.join(folder, 'data.mdb')
      if (fs.existsSync(file)) this.flush(fs.statSync(file).ino)
    }
    const look = () => this.look()
    Environment.prototype.write = function (action, sync) {
      look()
      write.call(this, action, sync)
      if (sync === Sync.DISK) flushed(this)
      else look()
    }
    Environment.prototype.flush = function () {
      flush.call(this)
      flushed(this)
    }
    return () => Object.assign(Environment.prototype, { write, flush })
  }

  /** The file's bytes, or the folder's names, are on the disk. */
  private flush(inode: number): void {
    const node = this.nodes.get(inode)
    if (node === undefined) return
    node.flushed = node.written
    if (node.isFolder) {
      const isHere = ({ from, to }: Naming) => from?.[0] === node || to?.[0] === node
      this.disk = withNamings(this.disk, this.pending.filter(isHere))
      this.pending = this.pending.filter((it) => !isHere(it))
    }
    this.moment()
  }

  private moment(): void {
    this.moments.push({
      mark: this.mark,
      names: copyOf(this.disk),
      pending: [...this.pending],
      bytes: new Map(
        [...this.nodes.values()].map((node) => [
          node,
          { flushed: node.flushed, written: node.written },
        ]),
      ),
    })
  }

  /** Notes what has changed since the last look, as a moment unless it happened at once with the next one. */
  private look(isMoment = true): void {
    this.isLooking = true
    const found = new Map<Node, Map<string, Node>>()
    let hasChanged = this.lookInto(this.folder, this.root, found)
    const namings = changesOf(this.names, found)
    hasChanged ||= namings.length > 0
    this.names = found
    this.pending.push(...namings)
    const there = new Set([...found.values()].flatMap((names) => [...names.values()]))
    for (const [inode, node] of this.nodes) {
      if (node !== this.root && !there.has(node)) this.nodes.delete(inode)
    }
    this.isLooking = false
    if (hasChanged && isMoment) this.moment()
  }

  /** Returns whether bytes have changed. */
  private lookInto(folder: string, node: Node, found: Map<Node, Map<string, Node>>): boolean {
    const names = new Map<string, Node>()
    found.set(node, names)
    let hasChanged = false
    for (const name of fs.readdirSync(folder).filter((it) => !IGNORED.has(it))) {
      const file = path.join(folder, name)
      const stat = fs.statSync(file)
      const child = this.nodes.get(stat.ino) ?? new Node(stat.isDirectory())
      this.nodes.set(stat.ino, child)
      names.set(name, child)
      if (child.isFolder) hasChanged = this.lookInto(file, child, found) || hasChanged
      else {
        const bytes = fs.readFileSync(file)
        if (bytes.equals(child.written)) continue
        child.written = bytes
        hasChanged = true
      }
    }
    return hasChanged
  }
}

const copyOf = (names: Names) => new Map([...names].map(([node, of]) => [node, new Map(of)]))

function changesOf(before: Names, after: Names): Naming[] {
  const places = (names: Names) =>
    [...names].flatMap(([folder, of]) => [...of].map(([name, node]) => ({ folder, name, node })))
  const isIn = (names: Names) => (it: { folder: Node; name: string; node: Node }) =>
    names.get(it.folder)?.get(it.name) === it.node
  const gone = places(before).filter((it) => !isIn(after)(it))
  const come = places(after).filter((it) => !isIn(before)(it))
  const moved = come.map(({ folder, name, node }): Naming => {
    const at = gone.findIndex((it) => it.node === node)
    const [from] = at === -1 ? [] : gone.splice(at, 1)
    return { node, to: [folder, name], ...(from && { from: [from.folder, from.name] }) }
  })
  const isReplaced = ({ folder, name }: { folder: Node; name: string }) =>
    after.get(folder)?.has(name) === true
  const removed = gone
    .filter((it) => !isReplaced(it))
    .map(({ folder, name, node }): Naming => ({ node, from: [folder, name] }))
  return [...moved, ...removed]
}

function withNamings(names: Names, namings: readonly Naming[]): Map<Node, Map<string, Node>> {
  const changed = copyOf(names)
  for (const { node, from, to } of namings) {
    if (from !== undefined && changed.get(from[0])?.get(from[1]) === node) {
      changed.get(from[0])!.delete(from[1])
    }
    if (to === undefined) continue
    const folder = changed.get(to[0]) ?? new Map<string, Node>()
    changed.set(to[0], folder.set(to[1], node))
  }
  return changed
}

type BytesOf = (node: Node) => Buffer
interface Kept {
  readonly kept: string
  readonly namings: readonly Naming[]
  readonly bytesOf: BytesOf
}

/** Yields the first names, all but one, and each alone, with no, all and half of the bytes; and all names without one file's bytes. */
function* keptOf({ pending, bytes }: Moment): Generator<Kept> {
  const sets: (readonly [string, readonly Naming[]])[] = [
    ...[...pending.keys(), pending.length].map(
      (count) => [`the first ${count} of ${textOf(pending)}`, pending.slice(0, count)] as const,
    ),
    ...pending.flatMap((one) => [
      [`${textOf(pending)} without ${textOf([one])}`, pending.filter((it) => it !== one)] as const,
      [`${textOf([one])} alone`, [one]] as const,
    ]),
  ]
  const of = (node: Node) => bytes.get(node) ?? node
  const ways: (readonly [string, BytesOf])[] = [
    ['without bytes', (node) => of(node).flushed],
    ['with all bytes', (node) => of(node).written],
    ['with half of the bytes', (node) => halfOf(of(node))],
  ]
  for (const [names, namings] of sets) {
    for (const [how, bytesOf] of ways) yield { kept: `${names}, ${how}`, namings, bytesOf }
  }
  for (const [node, { flushed, written }] of bytes) {
    if (flushed === written) continue
    const bytesOf = (it: Node) => (it === node ? of(it).flushed : of(it).written)
    yield { kept: `all names, without one file's bytes`, namings: pending, bytesOf }
  }
}

/** A sector that is overwritten has all of its new bytes, or none. */
const SECTOR_BYTES = 512

function halfOf({ flushed, written }: { flushed: Buffer; written: Buffer }): Buffer {
  if (flushed === written) return written
  if (written.length <= SECTOR_BYTES && flushed.length === written.length) return flushed
  const half = written.length >> 1
  return Buffer.concat([written.subarray(0, half), flushed.subarray(half)])
}

const textOf = (namings: readonly Naming[]) =>
  `[${namings.map(({ from, to }) => [from?.[1], to?.[1]].join('→')).join(' ')}]`

function gather(
  state: Map<string, Buffer | undefined>,
  folder: Node,
  at: string,
  names: Names,
  bytesOf: BytesOf,
): void {
  for (const [name, node] of names.get(folder) ?? []) {
    const file = path.join(at, name)
    state.set(file, node.isFolder ? undefined : bytesOf(node))
    if (node.isFolder) gather(state, node, file, names, bytesOf)
  }
}

const digests = new WeakMap<Buffer, string>()
function digestOf(state: State): string {
  const one = (bytes: Buffer) => {
    const digest = digests.get(bytes) ?? createHash('sha1').update(bytes).digest('base64')
    digests.set(bytes, digest)
    return digest
  }
  const lines = [...state].map(([file, bytes]) => `${file} ${bytes && one(bytes)}`)
  return lines.sort().join('\n')
}

/** Makes the state in an empty folder. */
export function materialize(state: State, folder: string): void {
  for (const [file, bytes] of state) {
    const target = path.join(folder, file)
    if (bytes === undefined) fs.mkdirSync(target, { recursive: true, mode: 0o700 })
    else fs.writeFileSync(target, bytes)
  }
}
