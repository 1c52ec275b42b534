/**
 * Writes the declarations of the package's programming interfaces: the types of src/assembly/options.ts and
 * settings.gen.ts, and the function of src/index.ts; the types of messages, and what src/sbe.ts exports.
 */
import fs from 'node:fs'

const START = `
/** Starts an exchange within this program (docs/embedding.md). */
export declare const startExchange: StartExchange
`
const DECODE = `
/** What decode() throws where bytes are no message. */
export declare class SbeError extends Error {
  override readonly name: 'SbeError'
}
/**
 * Returns the message that the bytes begin with. What later versions of the schema add to it is skipped, and what earlier
 * ones lack is null. A template that is not known has its header alone.
 */
export declare const decode: (bytes: Uint8Array) => SbeMessage
`

/** By program: files of its types, and the declarations of its values. */
const DECLARATIONS = /** @type {const} */ ({
  index: [['src/assembly/options.ts', 'src/assembly/settings.gen.ts'], START],
  sbe: [['src/api/sbe/messages.gen.ts'], DECODE],
})

/** Does nothing where there is no such interface. */
export function buildDeclarations() {
  for (const [program, [files, values]] of Object.entries(DECLARATIONS)) {
    if (!files.every((file) => fs.existsSync(file))) continue
    const types = files.map((file) => fs.readFileSync(file, 'utf8').replace(/^import .*\n/gm, ''))
    fs.mkdirSync('dist/src', { recursive: true })
    fs.writeFileSync(`dist/src/${program}.d.ts`, `${types.join('\n')}${values}`)
  }
}
