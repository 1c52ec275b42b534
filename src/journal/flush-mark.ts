/**
 * What makes unflushed commits safe: a copy of the two meta pages at the head of an LMDB file, as of
 * the last flush, in a file of its own. LMDB never overwrites a page that the pinned state still
 * uses, so a power loss can spoil nothing but pages that came after it, and the two meta pages that
 * lead to them; putting the copy back brings the file to the state of the last flush, whole.
 *
 * Which of the two happened is told by the kernel's boot id: the same one means that only the process
 * ended, and the file is as the process left it; another one means that the kernel's memory is gone.
 *
 * Written by the journal's writer, after each flush; read by whoever opens the environment first. Two
 * slots take turns, so that a torn write leaves the other one.
 *
 * ```
 *  0       4         8          16         24              64       128          128 + 8192
 *  ┌───────┬─────────┬──────────┬──────────┬───────────────┬────────┬────────────┐
 *  │ magic │ checksum│ sequence │ zero     │ boot id, text │ zero   │ meta pages │
 *  └───────┴─────────┴──────────┴──────────┴───────────────┴────────┴────────────┘
 * ```
 */
import fs from 'node:fs'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { type Environment, PAGE_BYTES } from './environment.ts'

const MAGIC = 0x314d4252
const SEQUENCE_AT = 8
const BOOT_ID_AT = 24
const BOOT_ID_BYTES = 40
const META_AT = 128
const META_BYTES = 2 * PAGE_BYTES
const SLOT_BYTES = META_AT + META_BYTES
const CHECKED_FROM = 8

/** Names this run of the kernel; undefined where the system has no such name. */
export function readBootId(): string | undefined {
  try {
    return fs.readFileSync('/proc/sys/kernel/random/boot_id', 'ascii').trim()
  } catch {
    return undefined
  }
}

export class FlushMark {
  readonly #markFile: string
  readonly #dataFile: string
  readonly #slot = Buffer.alloc(SLOT_BYTES)
  #sequence = 0
  #mark = -1
  #data = -1
  #unpin = () => {}

  /** For the environment in `folder`. */
  constructor(folder: string) {
    this.#markFile = path.join(folder, 'flushed')
    this.#dataFile = path.join(folder, 'data.mdb')
  }

  /**
   * Brings the environment back to its last flush when another boot wrote the mark. Call it before
   * anybody opens the environment. Answers whether that was needed.
   */
  restore(bootId: string | undefined): boolean {
    if (!fs.existsSync(this.#markFile) || !this.#readNewest()) return false
    const end = this.#slot.indexOf(0, BOOT_ID_AT)
    if (this.#slot.toString('ascii', BOOT_ID_AT, end) === bootId) return false
    const data = fs.openSync(this.#dataFile, 'r+')
    fs.writeSync(data, this.#slot, META_AT, META_BYTES, 0)
    fs.fsyncSync(data)
    fs.closeSync(data)
    this.#write(bootId ?? '')
    this.close()
    return true
  }

  /**
   * Flushes the environment and marks its present state. Only its writer may call it, between two
   * commits. The state is pinned first: from here on none of its pages may be reused.
   */
  advance(environment: Environment, bootId: string): void {
    const unpin = environment.pin()
    environment.flush()
    this.#write(bootId)
    this.#unpin()
    this.#unpin = unpin
  }

  /** Call it after a flush, before the next commit. Returns when the mark is on the disk. */
  #write(bootId: string): void {
    if (this.#mark < 0) this.#open()
    const slot = this.#slot
    this.#sequence++
    slot.writeUInt32LE(MAGIC, 0)
    slot.writeDoubleLE(this.#sequence, SEQUENCE_AT)
    slot.fill(0, BOOT_ID_AT, META_AT)
    slot.write(bootId.slice(0, BOOT_ID_BYTES - 1), BOOT_ID_AT, 'ascii')
    fs.readSync(this.#data, slot, META_AT, META_BYTES, 0)
    slot.writeUInt32LE(crc32(slot.subarray(CHECKED_FROM)), 4)
    fs.writeSync(this.#mark, slot, 0, SLOT_BYTES, (this.#sequence & 1) * SLOT_BYTES)
    fs.fdatasyncSync(this.#mark)
  }

  /** For an environment whose every commit is flushed. */
  remove(): void {
    this.close()
    if (!fs.existsSync(this.#markFile)) return
    fs.unlinkSync(this.#markFile)
    flushFolder(path.dirname(this.#markFile))
  }

  close(): void {
    this.#unpin()
    this.#unpin = () => {}
    if (this.#mark >= 0) fs.closeSync(this.#mark)
    if (this.#data >= 0) fs.closeSync(this.#data)
    this.#mark = -1
    this.#data = -1
  }

  #open(): void {
    const exists = fs.existsSync(this.#markFile)
    if (exists) this.#readNewest()
    this.#mark = fs.openSync(this.#markFile, exists ? 'r+' : 'w+')
    this.#data = fs.openSync(this.#dataFile, 'r')
    if (!exists) flushFolder(path.dirname(this.#markFile))
  }

  /** The newest whole slot into #slot, and its number into #sequence. */
  #readNewest(): boolean {
    const content = fs.readFileSync(this.#markFile)
    let newest = -1
    for (let at = 0; at + SLOT_BYTES <= content.length; at += SLOT_BYTES) {
      const slot = content.subarray(at, at + SLOT_BYTES)
      if (slot.readUInt32LE(0) !== MAGIC) continue
      if (slot.readUInt32LE(4) !== crc32(slot.subarray(CHECKED_FROM))) continue
      const sequence = slot.readDoubleLE(SEQUENCE_AT)
      if (sequence <= newest) continue
      newest = sequence
      slot.copy(this.#slot)
    }
    if (newest >= 0) this.#sequence = newest
    return newest >= 0
  }
}

/** Makes the names in the folder survive a power loss. */
export function flushFolder(folder: string): void {
  const descriptor = fs.openSync(folder, 'r')
  fs.fsyncSync(descriptor)
  fs.closeSync(descriptor)
}
