/** The version of this Ringbook, from its package.json. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { PACKAGE_FOLDER } from '../base/package-folder.ts'

export const readVersion = (): string =>
  JSON.parse(readFileSync(path.join(PACKAGE_FOLDER, 'package.json'), 'utf8')).version
