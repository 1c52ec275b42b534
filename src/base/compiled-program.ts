/**
 * Programs that V8 has compiled before they run. Each start would compile them again, in each thread its own: a
 * seventh of the start's processor time (docs/decisions/bundled-programs.md). The build writes V8's code of
 * `NAME.cjs` into `NAME.cjs.code`, behind a checksum of both. V8 refuses code of another version or other flags, but
 * knows a program by its length alone. A program without code that fits is compiled as any other.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import v8 from 'node:v8'
import vm from 'node:vm'
import { crc32 } from 'node:zlib'

const CHECKSUM_BYTES = 4
const PARAMETERS = 'exports, require, module, __filename, __dirname'

/** Runs a program, and returns what it exports. */
export function loadProgram(file: string): unknown {
  const source = readFileSync(file)
  const script = scriptOf(file, source, codeOf(file, source))
  const module = { exports: {} }
  const run = script.runInThisContext() as (...given: readonly unknown[]) => void
  run(module.exports, createRequire(file), module, file, path.dirname(file))
  return module.exports
}

/** Writes the code of a program, for starts with V8's flags of now. */
export function compileProgram(file: string): void {
  const source = readFileSync(file)
  // With all functions: to read one takes a tenth of what it takes to compile it.
  v8.setFlagsFromString('--no-lazy')
  const script = scriptOf(file, source)
  v8.setFlagsFromString('--lazy')
  const code = script.createCachedData()
  const checksum = Buffer.alloc(CHECKSUM_BYTES)
  checksum.writeUInt32LE(crc32(code, crc32(source)))
  // In one step: an exchange may be starting.
  writeFileSync(`${file}.code.new`, Buffer.concat([checksum, code]))
  renameSync(`${file}.code.new`, `${file}.code`)
}

const scriptOf = (filename: string, source: Buffer, cachedData?: Buffer): vm.Script =>
  new vm.Script(`(function (${PARAMETERS}) {${source}\n})`, { filename, cachedData })

/** Undefined without code of this source, whole. */
function codeOf(file: string, source: Buffer): Buffer | undefined {
  try {
    const written = readFileSync(`${file}.code`)
    const code = written.subarray(CHECKSUM_BYTES)
    return written.readUInt32LE() === crc32(code, crc32(source)) ? code : undefined
  } catch {
    return undefined
  }
}
