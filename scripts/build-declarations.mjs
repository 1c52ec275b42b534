/**
 * Writes the declarations of the package's programming interface: the types of src/assembly/options.ts and
 * settings.gen.ts, and the function of src/index.ts.
 */
import fs from 'node:fs'

const FUNCTION = `
/** Starts an exchange within this program (docs/embedding.md). */
export declare const startExchange: StartExchange
`

const TYPES = ['src/assembly/options.ts', 'src/assembly/settings.gen.ts']

/** Does nothing where there is no such interface. */
export function buildDeclarations() {
  if (!TYPES.every((file) => fs.existsSync(file))) return
  const types = TYPES.map((file) => fs.readFileSync(file, 'utf8').replace(/^import .*\n/gm, ''))
  fs.mkdirSync('dist/src', { recursive: true })
  fs.writeFileSync('dist/src/index.d.ts', `${types.join('\n')}${FUNCTION}`)
}
