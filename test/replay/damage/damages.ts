/**
 * The table of damage: which files a full folder has, and what may happen to each. docs/what-fails-alone.md has a
 * row for each kind of file.
 */
import fs from 'node:fs'
import path from 'node:path'
import { PAGE_BYTES } from '../../../src/journal/environment.ts'
import type { FullFolder } from './full-folder.ts'

/** A kind of file, as an operator knows it. */
export interface FileKind {
  /** Its row in the page of what fails. */
  readonly row: string
  /** Matches its path in the data folder. */
  readonly pattern: RegExp
  /** Where bytes are flipped, by the name of the place; none where a flip means nothing. */
  readonly places: (bytes: Buffer) => readonly Flip[]
  /** How a refusal names it. */
  readonly named: RegExp
  /** No start reads it: only verify-journal, load and retention do. */
  readonly isCold?: true
  /** A start does without it, and has nothing to say of it. */
  readonly isSilent?: true
  /** Set for a copy, which its manifest proves. */
  readonly isCopy?: true
}

export interface Flip {
  readonly place: string
  readonly at: number
}

export interface Damage {
  readonly name: string
  /** Changes the folder, whose files are those of `full.data`. */
  readonly strike: (folder: string) => void
}

const ends = (bytes: Buffer): readonly Flip[] =>
  [
    { place: 'first byte', at: 0 },
    { place: 'middle byte', at: bytes.length >> 1 },
    { place: 'last byte', at: bytes.length - 1 },
  ].filter(({ at }) => at >= 0 && at < bytes.length)

/** Places in each page that is in use: its head, places of nodes, room, nodes, end; and both meta pages. */
function lmdbPlaces(bytes: Buffer): readonly Flip[] {
  const flips: Flip[] = [
    ...[0, 1].flatMap((page) =>
      [
        ['magic', 24],
        ['root of free pages', 88],
        ['entries', 128],
        ['root', 136],
        ['last page', 144],
        ['transaction', 152],
      ].map(([place, at]) => ({
        place: `meta ${page}, ${place}`,
        at: page * PAGE_BYTES + Number(at),
      })),
    ),
  ]
  const pages = bytes.length / PAGE_BYTES
  for (let page = 2; page < pages; page++) {
    const flag = bytes.readUInt16LE(page * PAGE_BYTES + 18)
    const upper = bytes.readUInt16LE(page * PAGE_BYTES + 22)
    const kind = ['', 'branch', 'leaf', '', 'value'][flag] ?? 'page'
    const within =
      flag === 4
        ? ([
            ['number', 0],
            ['pages', 20],
            ['bytes', 600],
          ] as const)
        : ([
            ['number', 0],
            ['flags', 18],
            ['lower', 20],
            ['upper', 22],
            ['place of a node', 24],
            ['size of a value', 24 + upper],
            ['key', 24 + upper + 8 + 7],
            ['value', 24 + upper + 8 + 30],
            ['end', PAGE_BYTES - 4],
          ] as const)
    for (const [place, at] of within) {
      if (at < PAGE_BYTES)
        flips.push({ place: `${kind} ${page}, ${place}`, at: page * PAGE_BYTES + at })
    }
  }
  return flips
}

/** Head, records, checksum and padding of a write-ahead log's first, middle and last block. */
function walPlaces(bytes: Buffer): readonly Flip[] {
  const blocks: number[] = []
  for (let at = 0; at + PAGE_BYTES <= bytes.length; at += PAGE_BYTES) {
    if (bytes.readUInt32LE(at) === 0x314a4252) blocks.push(at)
  }
  if (blocks.length === 0) return ends(bytes)
  const chosen = { first: blocks[0]!, middle: blocks[blocks.length >> 1]!, last: blocks.at(-1)! }
  return Object.entries(chosen).flatMap(([block, at]) => [
    { place: `magic of the ${block} block`, at },
    { place: `checksum of the ${block} block`, at: at + 4 },
    { place: `head of the ${block} block`, at: at + 24 },
    { place: `records of the ${block} block`, at: at + 100 },
    { place: `padding of the ${block} block`, at: at + PAGE_BYTES - 2 },
  ])
}

const snapshotPlaces = (bytes: Buffer): readonly Flip[] => [
  ...ends(bytes),
  { place: 'number', at: 16 },
  { place: 'head of a section', at: 40 },
  { place: 'places', at: 60 },
]

const none = (): readonly Flip[] => []
const kind = (
  row: string,
  pattern: RegExp,
  named: RegExp,
  places: FileKind['places'],
  more: Pick<FileKind, 'isCold' | 'isSilent' | 'isCopy'> = {},
): FileKind => ({ row, pattern, named, places, ...more })
const silent = { isSilent: true } as const
const cold = { isCold: true, isSilent: true } as const

export const kinds: readonly FileKind[] = [
  kind('write-ahead log', /^journal-\d+\/wal-\d$/, /journal-\d/, walPlaces, silent),
  kind('mark of the last flush', /^journal-\d+\/wal-flushed$/, /journal-\d/, ends, silent),
  kind('journal in LMDB', /^journal-\d+\/data\.mdb$/, /journal-\d/, lmdbPlaces, silent),
  kind('control journal', /^control\/data\.mdb$/, /control/, lmdbPlaces),
  kind('mark of the control journal', /^control\/last$/, /control/, ends),
  kind('archive', /^archive(-\d+)?\/data\.mdb$/, /archive/, lmdbPlaces),
  kind('mark of an open archive', /^archive(-\d+)?\/open$/, /archive/, ends, silent),
  kind('summary of the archive', /^archive-base\/data\.mdb$/, /archive-base/, lmdbPlaces, silent),
  kind('snapshot', /^snapshots\/snapshot-\d+$/, /[Ss]napshot/, snapshotPlaces),
  kind('sealed segment', /^old-journals\/journal-\d+\/\d+-\d+$/, /journal-\d/, ends, cold),
  kind('beginning of a journal', /^old-journals\/journal-\d+\/removed$/, /removed/, ends, cold),
  kind('secret.key', /^secret\.key$/, /secret\.key/, ends),
  kind('operator-token', /^operator-token$/, /operator-token/, ends, silent),
  kind('admin-port', /^admin-port$/, /admin-port/, ends, silent),
  kind('kept-figures', /^kept-figures$/, /kept-figures/, ends, silent),
  kind('keys in the clear', /^(demo|liquidity|embedded)-keys\.json$/, /-keys\.json/, ends, silent),
  kind('saved state or fork', /^(states|forks)\/\w+\/.+$/, /states|forks/, none, { isCopy: true }),
  kind('lock and probe of LMDB', /^[\w-]+\/(lock\.mdb|probe)$/, /lock/, ends, silent),
]

export const kindOf = (file: string): FileKind | undefined =>
  kinds.find(({ pattern }) => pattern.test(file))

/** Paths of all files in the folder, relative to it. */
export const filesIn = (folder: string): readonly string[] =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
    .sort()

/** All that may happen to one file. `most` bounds the places in which a byte is flipped. */
export function damagesOf(
  file: string,
  full: FullFolder,
  other: FullFolder,
  most: number,
): readonly Damage[] {
  const bytes = fs.readFileSync(path.join(full.data, file))
  const { places } = kindOf(file)!
  const at = (folder: string) => path.join(folder, file)
  const put = (name: string, from: string): readonly Damage[] => {
    if (!fs.existsSync(from) || fs.readFileSync(from).equals(bytes)) return []
    return [{ name, strike: (folder) => fs.copyFileSync(from, at(folder)) }]
  }
  const cuts = [bytes.length >> 2, bytes.length >> 1, bytes.length - PAGE_BYTES, bytes.length - 1]
  const swapped = filesIn(full.data).find((it) => it > file && sameKind(it, file))
  return [
    { name: 'removed', strike: (folder) => fs.rmSync(at(folder)) },
    { name: 'emptied', strike: (folder) => fs.truncateSync(at(folder)) },
    {
      name: 'zeroed',
      strike: (folder) => fs.writeFileSync(at(folder), Buffer.alloc(bytes.length)),
    },
    ...[...new Set(cuts)]
      .filter((length) => length > 0)
      .map((length) => ({
        name: `cut to ${length} of ${bytes.length} bytes`,
        strike: (folder: string) => fs.truncateSync(at(folder), length),
      })),
    ...put('of the stop before', at(full.earlier)),
    ...put('of a moment before', at(full.before)),
    ...put('of another folder', at(other.data)),
    ...(swapped === undefined
      ? []
      : [
          {
            name: `swapped with ${swapped}`,
            strike: (folder: string) => swap(folder, file, swapped),
          },
        ]),
    ...some(places(bytes), most).map(({ place, at: offset }) => ({
      name: `a byte flipped: ${place}`,
      strike: (folder: string) => {
        const flipped = Buffer.from(bytes)
        flipped[offset]! ^= 0x55
        fs.writeFileSync(at(folder), flipped)
      },
    })),
  ]
}

const sameKind = (one: string, other: string): boolean => {
  return kindOf(one) === kindOf(other)
}

function swap(folder: string, one: string, other: string): void {
  const [first, second] = [one, other].map((file) => path.join(folder, file))
  fs.renameSync(first!, `${first}.swap`)
  fs.renameSync(second!, first!)
  fs.renameSync(`${first}.swap`, second!)
}

/** So many at most, from the whole list. */
export function some<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all
  const step = all.length / most
  return Array.from({ length: most }, (_, i) => all[Math.floor(i * step)]!)
}
