/**
 * Writes the declarations of the package's programming interface: the types of src/assembly/options.ts, which
 * imports nothing, and the function of src/index.ts.
 */
import fs from 'node:fs'

const FUNCTION = `
/** Starts an exchange within this program (docs/embedding.md). */
export declare const startExchange: StartExchange
`

const TYPES = 'src/assembly/options.ts'

/** Does nothing where there is no such interface. */
export function buildDeclarations() {
  if (!fs.existsSync(TYPES)) return
  const types = fs.readFileSync(TYPES, 'utf8')
  fs.mkdirSync('dist/src', { recursive: true })
  fs.writeFileSync('dist/src/index.d.ts', `${types}${FUNCTION}`)
}
