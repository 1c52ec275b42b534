/**
 * The lmdb package. It takes timers from the globals when it needs them, which a program that an exchange is embedded
 * in may have replaced by its own (timers of tests): a read would then hold its pages for ever, and a commit wait. So
 * the package's one file is compiled with what Node.js has under these names as its own.
 */
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { nextTick } from 'node:process'
import { clearTimeout, setImmediate, setTimeout } from 'node:timers'
import { compileFunction } from 'node:vm'
import type * as Lmdb from 'lmdb'
import { dateNow } from '../base/real-date.ts'

export type { Database, RootDatabase } from 'lmdb'

let loaded: typeof Lmdb | undefined

/** The package's `open`, for binary keys and values. Loads the package when it is first called: 13 ms. */
export const open = <V, K extends Lmdb.Key>(options: Lmdb.RootDatabaseOptionsWithPath) => {
  loaded ??= load()
  return loaded.open<V, K>(options)
}

function load(): typeof Lmdb {
  const file = createRequire(import.meta.url).resolve('lmdb')
  const others = createRequire(file)
  const module = { exports: {} }
  const replaced: Readonly<Record<string, () => unknown>> = {
    'node:fs': () => ({ ...fs }),
    // Encodes values of stores whose encoding is not binary, and takes as long to load as all that is left.
    msgpackr: () => ({}),
    'node-gyp-build-optional-packages': () => (folder: string) => binaryOf(others, folder),
  }
  const own = {
    __filename: file,
    __dirname: path.dirname(file),
    module,
    exports: module.exports,
    require: (name: string) => replaced[name]?.() ?? others(name),
    clearTimeout,
    setImmediate,
    setTimeout,
    queueMicrotask: nextTick,
    Date: { now: dateNow },
  }
  const source = fs.readFileSync(file, 'utf8')
  compileFunction(source, Object.keys(own), { filename: file })(...Object.values(own))
  return module.exports as typeof Lmdb
}

/**
 * Loads the package's binary. The package looks for it with two packages more, which read the program of the process
 * to learn its C library: 10 ms for each thread. So the files for glibc are tried first.
 */
function binaryOf(require: NodeJS.Require, folder: string): unknown {
  const { platform, arch, versions } = process
  for (const made of [`abi${versions.modules}`, 'napi']) {
    try {
      return require(`@lmdb/lmdb-${platform}-${arch}/node.${made}.glibc.node`)
    } catch {
      // Another C library or system, whose file has another name.
    }
  }
  return require('node-gyp-build-optional-packages')(folder)
}
