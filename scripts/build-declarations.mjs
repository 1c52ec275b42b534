/**
 * Writes the declarations of the package's programming interface: the types of src/assembly/options.ts, which
 * imports nothing, and the function of src/index.ts.
 */
import fs from 'node:fs'

const FUNCTION = `
/** Starts an exchange within this program (docs/embedding.md). */
export declare const startExchange: StartExchange
`

export function buildDeclarations() {
  const types = fs.readFileSync('src/assembly/options.ts', 'utf8')
  fs.mkdirSync('dist/src', { recursive: true })
  fs.writeFileSync('dist/src/index.d.ts', `${types}${FUNCTION}`)
}
