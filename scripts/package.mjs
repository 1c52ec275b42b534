/**
 * Keeps needless binaries out of the package. npm runs it before `npm pack`: package.json bundles all
 * dependencies, so that an install needs neither the registry nor a compiler, and npm packs of a bundled
 * dependency the `files` that its own package.json names. Binaries for this platform stay, for each
 * version of Node.js that `engines` names.
 *
 * It changes package.json of two packages in node_modules, which nothing else reads; `npm ci` undoes it.
 */
import fs from 'node:fs'
import path from 'node:path'

/** The binary interfaces (process.versions.modules) of Node.js 20, 22, 24 and 25. */
const INTERFACES = [115, 127, 137, 141]
const { platform, arch } = process
const modules = path.resolve(import.meta.dirname, '../node_modules')

/**
 * Packs these files of a dependency and no others.
 *
 * @param {string} name
 * @param {(file: string) => boolean} isPacked
 */
function pack(name, isPacked) {
  const folder = path.join(modules, name)
  const file = path.join(folder, 'package.json')
  const { files: _, ...described } = JSON.parse(fs.readFileSync(file, 'utf8'))
  const files = fs.readdirSync(folder).filter(isPacked)
  // In one step: an exchange may be loading it.
  fs.writeFileSync(`${file}.new`, `${JSON.stringify({ ...described, files }, undefined, 2)}\n`)
  fs.renameSync(`${file}.new`, file)
}

const servers = INTERFACES.map((it) => `uws_${platform}_${arch}_${it}.node`)
pack('uWebSockets.js', (file) => /^(uws|ESM_wrapper)\.m?js$/.test(file) || servers.includes(file))
// uWebSockets.js has no binaries for musl, so these would never load.
pack(`@lmdb/lmdb-${platform}-${arch}`, (file) => /\.(js|node)$/.test(file) && !/musl/.test(file))
// Nothing is compiled.
pack('lmdb', (file) => !['dependencies', 'src', 'binding.gyp'].includes(file))
