/**
 * Checksums of the files of a backup or saved state, which never change: its manifest has them, so that damage is
 * found before anything is made of the copy.
 */
import * as fs from 'node:fs'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { StorageError } from './environment.ts'

/** By path within the copy, with slashes: its length and CRC-32. */
export type FileSums = Readonly<Record<string, readonly [bytes: number, crc: number]>>

const PIECE_BYTES = 1 << 20
/** Files that LMDB and this package write beside a database, also to read it. */
const BESIDE = /(^|\/)(lock\.mdb|probe)$/

/** A copy without it is whole: the archive is made again from the journals. */
const ARCHIVE = /^archive(?=\/)/

/** Sums up all files of the folder but `manifest`. A generator that yields between pieces. */
export function* sumFiles(folder: string, manifest: string): Generator<void, FileSums, void> {
  const sums: Record<string, readonly [number, number]> = {}
  for (const name of filesOf(folder)) {
    if (name !== manifest) sums[name] = yield* sumOf(path.join(folder, name))
  }
  return sums
}

/**
 * Throws StorageError, which names the first file that is not as it was, or not there. The archive's folder may be
 * gone as a whole.
 */
export function* checkFiles(folder: string, sums: FileSums): Generator<void, void, void> {
  const refuse = (name: string, what: string) =>
    new StorageError(`${path.join(folder, name)} ${what}: use another copy.`)
  for (const [name, [bytes, crc]] of Object.entries(sums)) {
    const file = path.join(folder, name)
    if (ARCHIVE.test(name) && !fs.existsSync(path.dirname(file))) continue
    if (!fs.existsSync(file)) throw refuse(name, 'is no longer there')
    const now = yield* sumOf(file)
    if (now[0] !== bytes || now[1] !== crc)
      throw refuse(name, 'is not as it was when it was copied')
  }
}

function* sumOf(file: string): Generator<void, readonly [bytes: number, crc: number], void> {
  const piece = Buffer.alloc(PIECE_BYTES)
  const opened = fs.openSync(file, 'r')
  let bytes = 0
  let crc = 0
  try {
    for (let read = fs.readSync(opened, piece); read > 0; read = fs.readSync(opened, piece)) {
      crc = crc32(piece.subarray(0, read), crc)
      bytes += read
      yield
    }
  } finally {
    fs.closeSync(opened)
  }
  return [bytes, crc]
}

const filesOf = (folder: string): readonly string[] =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
    .map((name) => name.split(path.sep).join('/'))
    .filter((name) => !BESIDE.test(name))
    .sort()
