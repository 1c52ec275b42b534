/** The version of this Ringbook, from its package.json. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Built files lie one folder deeper than their sources: the nearest package.json above is read. */
export function readVersion(folder: string = import.meta.dirname): string {
  const file = path.join(folder, 'package.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')).version
  return readVersion(path.dirname(folder))
}
