/**
 * Bundles the console of src/console for browsers, into dist/src/console: one script and one style
 * with hashes in their names, the page that names them, and of each the forms that a server sends,
 * compressed beforehand.
 *
 * Plain JavaScript, because build.mjs runs it before anything is built.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'

const SOURCE = 'src/console'
const OUTPUT = 'dist/src/console'
/** Where the page finds its files (src/gateway/http/console-files.ts serves what lies there). */
const ADDRESS = '/console/'

/** @param {string | Buffer} bytes */
const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex').slice(0, 12)

/** Bundles and writes the console. */
export async function buildConsole() {
  const script = await bundleScript()
  const style = smallStyle(fs.readFileSync(path.join(SOURCE, 'console.css'), 'utf8'))
  const scriptName = `console-${hashOf(script)}.js`
  const styleName = `console-${hashOf(style)}.css`
  const page = fs
    .readFileSync(path.join(SOURCE, 'index.html'), 'utf8')
    .replace('console.css', `${ADDRESS}${styleName}`)
    .replace('main.tsx', `${ADDRESS}${scriptName}`)
  fs.rmSync(OUTPUT, { recursive: true, force: true })
  fs.mkdirSync(OUTPUT, { recursive: true })
  writeForms(scriptName, script)
  writeForms(styleName, style)
  writeForms('index.html', page)
}

/** @returns {Promise<string>} */
async function bundleScript() {
  const { rolldown } = await import('rolldown')
  const bundler = await rolldown({
    input: path.join(SOURCE, 'main.tsx'),
    platform: 'browser',
    tsconfig: false,
    transform: { target: 'es2022', jsx: { runtime: 'automatic', importSource: 'preact' } },
  })
  const { output } = await bundler
    .generate({ format: 'esm', codeSplitting: false, minify: true })
    .finally(() => bundler.close())
  return output[0].code
}

/**
 * A style without comments and needless spaces.
 *
 * @param {string} text
 */
function smallStyle(text) {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .trim()
}

/**
 * @param {string} name
 * @param {string} text
 */
function writeForms(name, text) {
  const bytes = Buffer.from(text)
  const quality = { [zlib.constants.BROTLI_PARAM_QUALITY]: zlib.constants.BROTLI_MAX_QUALITY }
  fs.writeFileSync(path.join(OUTPUT, name), bytes)
  fs.writeFileSync(
    path.join(OUTPUT, `${name}.br`),
    zlib.brotliCompressSync(bytes, { params: quality }),
  )
  fs.writeFileSync(path.join(OUTPUT, `${name}.gz`), zlib.gzipSync(bytes, { level: 9 }))
}
