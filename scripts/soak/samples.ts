/** What a soak samples of the exchange: memory by kind, handles, files, gauges. Linux. */
import fs from 'node:fs'
import path from 'node:path'

const KIB = 1024
const LARGE_BYTES = 4 << 20
/** Bytes of one of a file's blocks, as stat counts them. */
const BLOCK_BYTES = 512
/** Gauges that are kept: sizes, counts and ages. */
const KEPT_GAUGES = /(bytes|entries|seconds|ms|connections|subscriptions|level|blocks)$/
const EVENT_BYTES = 'ringbook_matcher_event_bytes_total'

/** Bytes. */
export interface MemorySample {
  /** All that is resident. */
  readonly resident: number
  /** Heaps, buffers, shared buffers, stacks; by mapping: the next three. */
  readonly anonymous: number
  /** The main thread's native allocations. */
  readonly nativeHeap: number
  /** Mappings of 4 MiB and more: shared buffers, native allocations of other threads. */
  readonly largeMappings: number
  /** Smaller mappings: pages of JavaScript heaps, stacks. */
  readonly smallMappings: number
  /** Pages of files that are resident. */
  readonly files: number
  readonly swapped: number
  /** Address space. */
  readonly virtual: number
  /** Address space of LMDB's files. */
  readonly mappedDatabases: number
}

export interface HandleSample {
  readonly files: number
  readonly sockets: number
  /** Pipes, timers, polls. */
  readonly others: number
  readonly threads: number
}

export interface Sample {
  readonly kind: 'sample'
  /** Since the load began. */
  readonly atSeconds: number
  /** Events journaled since the start. */
  readonly eventBytes: number
  readonly memory: MemorySample
  readonly handles: HandleSample
  /** Bytes on the disk by folder of the data folder; `log` is the log. */
  readonly folders: Readonly<Record<string, number>>
  /** Metrics whose value is a size, a count or an age. */
  readonly gauges: Readonly<Record<string, number>>
  /** What clients sent and read, and the warnings of the log, since the beginning. */
  readonly clients: Readonly<Record<string, number>>
}

/** Orders that were due in a minute. */
export interface Minute {
  readonly kind: 'minute'
  readonly atSeconds: number
  readonly orders: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** By which clients sent them late: a timer's wait for a processor. Early runs do not have it. */
  readonly lateP99Ms?: number
  /** Outcomes of all requests and acts since the beginning: how often by code. */
  readonly outcomes: Readonly<Record<string, number>>
}

/** How the run ended, and what was compared then. */
export interface SoakEnd {
  readonly kind: 'end'
  /** How the process ended before its time; empty when it did not. */
  readonly died: string
  readonly isRestarted: boolean
  /** Exit code 0 for the stop at the end. */
  readonly isStopped: boolean
  /** Acknowledged orders, fills and cancels that later answers contradict. */
  readonly lost: number
  readonly compared: number
  readonly requests: number
  readonly failed: number
  readonly orders: number
  readonly queries: number
  readonly outcomes: Readonly<Record<string, number>>
  readonly warnings: Readonly<Record<string, number>>
  readonly disk: string
  readonly rate: number
}

/** The samples of a run, oldest first. */
export interface SoakLog {
  readonly samples: readonly Sample[]
  readonly minutes: readonly Minute[]
  /** Undefined of a run that was cut. */
  readonly end: SoakEnd | undefined
}

export function memoryOf(pid: number): MemorySample {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8')
  const bytes = (name: string) =>
    KIB * Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0)
  return {
    resident: bytes('VmRSS'),
    anonymous: bytes('RssAnon'),
    files: bytes('RssFile') + bytes('RssShmem'),
    swapped: bytes('VmSwap'),
    virtual: bytes('VmSize'),
    ...mappingsOf(fs.readFileSync(`/proc/${pid}/smaps`, 'utf8')),
  }
}

type Mappings = Pick<
  MemorySample,
  'nativeHeap' | 'largeMappings' | 'smallMappings' | 'mappedDatabases'
>

function mappingsOf(smaps: string): Mappings {
  const sums = { nativeHeap: 0, largeMappings: 0, smallMappings: 0, mappedDatabases: 0 }
  let sizeBytes = 0
  let name = ''
  for (const line of smaps.split('\n')) {
    const [, from, to, of] = /^([0-9a-f]+)-([0-9a-f]+) \S+ \S+ \S+ \d+ *(.*)$/.exec(line) ?? []
    if (from !== undefined && to !== undefined) {
      sizeBytes = Number.parseInt(to, 16) - Number.parseInt(from, 16)
      name = of ?? ''
      if (name.endsWith('/data.mdb')) sums.mappedDatabases += sizeBytes
    } else if (line.startsWith('Anonymous:')) {
      const bytes = KIB * Number.parseInt(line.slice('Anonymous:'.length), 10)
      if (name === '[heap]') sums.nativeHeap += bytes
      else if (sizeBytes >= LARGE_BYTES) sums.largeMappings += bytes
      else sums.smallMappings += bytes
    }
  }
  return sums
}

export function handlesOf(pid: number): HandleSample {
  const counts = { files: 0, sockets: 0, others: 0 }
  for (const name of fs.readdirSync(`/proc/${pid}/fd`)) {
    try {
      const target = fs.readlinkSync(`/proc/${pid}/fd/${name}`)
      if (target.startsWith('socket:')) counts.sockets++
      else if (target.startsWith('/')) counts.files++
      else counts.others++
    } catch {
      // It was closed meanwhile.
    }
  }
  return { ...counts, threads: fs.readdirSync(`/proc/${pid}/task`).length }
}

/** Bytes on the disk of each folder in the data folder, and of the files beside them. */
export function foldersOf(data: string): Record<string, number> {
  const bytes: Record<string, number> = { beside: 0 }
  for (const entry of fs.readdirSync(data, { withFileTypes: true })) {
    const at = path.join(data, entry.name)
    if (entry.isDirectory()) bytes[entry.name] = treeBytes(at)
    else bytes.beside! += fileBytes(at)
  }
  return bytes
}

function treeBytes(folder: string): number {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .map((entry) => path.join(folder, entry.name))
    .reduce(
      (sum, at) => sum + (fs.existsSync(at) && isFolder(at) ? treeBytes(at) : fileBytes(at)),
      0,
    )
}

const isFolder = (at: string): boolean =>
  fs.statSync(at, { throwIfNoEntry: false })?.isDirectory() === true

/** 0 for one that was removed meanwhile. */
export function fileBytes(file: string): number {
  return BLOCK_BYTES * (fs.statSync(file, { throwIfNoEntry: false })?.blocks ?? 0)
}

/** Rejects when the address does not answer. */
export async function metricsOf(adminPort: number): Promise<{
  readonly eventBytes: number
  readonly gauges: Readonly<Record<string, number>>
}> {
  const response = await fetch(`http://127.0.0.1:${adminPort}/metrics`)
  const text = await response.text()
  let eventBytes = 0
  const gauges: Record<string, number> = {}
  const kinds = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [, family = '', kind = ''] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? []
    if (family !== '') kinds.set(family, kind)
    const [, series, name, value] = /^((\w+)(?:\{[^}]*\})?) (\S+)$/.exec(line) ?? []
    if (series === undefined || name === undefined) continue
    if (name === EVENT_BYTES) eventBytes += Number(value)
    if (kinds.get(name) === 'gauge' && KEPT_GAUGES.test(name)) gauges[series] = Number(value)
  }
  return { eventBytes, gauges }
}

/** Leaves out a last line that was cut. */
export function readLog(file: string): SoakLog {
  const rows = fs.readFileSync(file, 'utf8').split('\n').flatMap(parsed)
  return {
    samples: rows.filter((row) => row.kind === 'sample'),
    minutes: rows.filter((row) => row.kind === 'minute'),
    end: rows.find((row) => row.kind === 'end'),
  }
}

function parsed(line: string): (Sample | Minute | SoakEnd)[] {
  try {
    return [JSON.parse(line)]
  } catch {
    return []
  }
}
