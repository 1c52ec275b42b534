/**
 * Where the files of this Ringbook are. A bundle stands elsewhere than the modules in it: so code goes from
 * the nearest package.json above, never from its own place.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'

const packageAbove = (folder: string): string =>
  existsSync(path.join(folder, 'package.json')) ? folder : packageAbove(path.dirname(folder))

/** The folder of package.json. */
export const PACKAGE_FOLDER = packageAbove(import.meta.dirname)

/** The path of what the build made; `name` is its path below dist. */
export const builtPath = (name: string): string => path.join(PACKAGE_FOLDER, 'dist', name)
