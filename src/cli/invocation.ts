/** How this program is run where its texts are printed: a line that a reader pastes must work there. */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'

const NAME = 'ringbook'

/** Where the program was started, and what it is. */
export interface Invocation {
  /** File of the program. */
  readonly main: string
  /** Working folder. */
  readonly folder: string
  /** PATH. */
  readonly searchPath: string
}

const ownInvocation = (): Invocation => ({
  main: process.argv[1] ?? '',
  folder: process.cwd(),
  searchPath: process.env.PATH ?? '',
})

/**
 * Returns the command for another terminal in the same folder. It is `npx ringbook` only where npm finds
 * this program in the folder itself: elsewhere npm would look the name up in its registry, where it is not
 * Ringbook's.
 */
export function ownCommand({ main, folder, searchPath }: Invocation = ownInvocation()): string {
  const program = realpathSync(main)
  const isProgram = (file: string) => existsSync(file) && realpathSync(file) === program
  const isInstalled = isProgram(path.join(folder, 'node_modules/.bin', NAME))
  const isBuilt = isProgram(path.join(folder, 'dist/src/main.js'))
  if (isInstalled || (isBuilt && isPackage(folder))) return `npx ${NAME}`
  // Other terminals lack what npx adds to the path.
  const folders = searchPath
    .split(path.delimiter)
    .filter((folder) => !folder.includes('node_modules'))
  if (folders.some((folder) => folder !== '' && isProgram(path.join(folder, NAME)))) return NAME
  const relative = path.relative(folder, program)
  const shown = relative.startsWith('..') ? program : relative
  return `node ${/^[\w./-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", `'\\''`)}'`}`
}

function isPackage(folder: string): boolean {
  const file = path.join(folder, 'package.json')
  return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).name === NAME
}
