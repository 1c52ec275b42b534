/**
 * Watches the memory of a gateway's heap and of the whole process, and returns the level at which the
 * gateway saves memory. The heap counts by its size after the last full collection, without garbage. The
 * process counts by its anonymous memory.
 */
import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'

/** What a gateway does when memory is short. */
export const MemoryLevel = {
  FINE: 0,
  /** No new WebSockets and no new streams, and slow readers have less room. */
  NOTHING_NEW: 1,
  /** Connections end too, those of the address with the most first. */
  SHED: 2,
  /** The gateway ends before its heap is full. */
  OVER: 3,
} as const
export type MemoryLevel = (typeof MemoryLevel)[keyof typeof MemoryLevel]

/** Shares of the bounds at which each level begins. */
const HEAP_SHARES = [0.7, 0.8, 0.92]
const PROCESS_SHARES = [1, 1.1]

export interface MemoryReading {
  /** Bytes that the heap keeps, gaps included, and its bound. */
  readonly heapBytes: number
  readonly heapMax: number
  readonly processBytes: number
  /** 0 for none. */
  readonly processMax: number
}

export function memoryLevel(reading: MemoryReading): MemoryLevel {
  const { heapBytes, heapMax, processBytes, processMax } = reading
  const reached = (share: number) => heapBytes >= share * heapMax
  const isBeyond = (share: number) => processMax > 0 && processBytes >= share * processMax
  const ofHeap = HEAP_SHARES.filter(reached).length
  const ofProcess = PROCESS_SHARES.filter(isBeyond).length
  return Math.max(ofHeap, ofProcess) as MemoryLevel
}

/** Returns the process's anonymous memory, or its resident memory where the kernel has no such number. */
export function processBytes(): number {
  if (process.platform !== 'linux') return process.memoryUsage.rss()
  const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))
  return kilobytes === null ? process.memoryUsage.rss() : Number(kilobytes[1]) * 1024
}

/** Returns the setting in bytes; for 0, three quarters of the memory of machine or control group. */
export function memoryBytesMax(megabytes: number): number {
  if (megabytes > 0) return megabytes * 2 ** 20
  const constrained = process.constrainedMemory() ?? 0
  const machine = totalmem()
  return 0.75 * (constrained > 0 ? Math.min(machine, constrained) : machine)
}

/** Reads the heap of the thread that creates it. */
export class MemoryWatch {
  private readonly processMax: number
  private readonly observer: PerformanceObserver
  private keptBytes = 0
  private isCollected = false

  constructor(processMax: number) {
    this.processMax = processMax
    this.observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { kind } = (entry as PerformanceEntry & { readonly detail: { kind: number } }).detail
        if (kind === constants.NODE_PERFORMANCE_GC_MAJOR) this.isCollected = true
      }
    })
    this.observer.observe({ entryTypes: ['gc'] })
  }

  read(): MemoryReading {
    const { total_heap_size, heap_size_limit } = getHeapStatistics()
    if (this.isCollected || total_heap_size < this.keptBytes) this.keptBytes = total_heap_size
    this.isCollected = false
    return {
      heapBytes: this.keptBytes,
      heapMax: heap_size_limit,
      processBytes: processBytes(),
      processMax: this.processMax,
    }
  }

  close(): void {
    this.observer.disconnect()
  }
}
