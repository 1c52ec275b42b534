/**
 * Writes the documents as pages into dist/src/docs, as scripts/site makes them, with one script and one
 * style that have hashes in their names, and of each file the forms that a server sends, compressed
 * beforehand (src/base/page-files.ts reads what lies there).
 *
 * Plain JavaScript, because build.mjs runs it.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleScript, hashOf, licensesOf, smallStyle, writeForms } from './build-console.mjs'

export const DOCS_MAKER = 'scripts/site/site.ts'
export const DOCS_OUTPUT = 'dist/src/docs'
const ASSETS = 'assets'
const ADDRESS = `/docs/${ASSETS}`
/** Quality of Brotli: the highest, 11, makes the whole take 2.8 s instead of 1.7, and saves an eighth. */
const QUALITY = 9
const PICTURES = 'docs/pictures'
/** Files and folders that pages are made of, beside the maker and src/console. */
const SOURCES = ['README.md', 'docs', 'examples', 'src/README.md']

/** Digest of the files' bytes. */
export function digestOfDocs() {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    for (const file of filesIn(source)) hash.update(`${file} `).update(fs.readFileSync(file))
  }
  return hash.digest('hex')
}

/** @param {string} source */
function filesIn(source) {
  if (!fs.statSync(source).isDirectory()) return [source]
  return fs
    .readdirSync(source, { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join(source, name))
    .filter((name) => fs.statSync(name).isFile())
    .sort()
}

/** Writes all pages. */
export async function buildDocs() {
  fs.rmSync(DOCS_OUTPUT, { recursive: true, force: true })
  fs.mkdirSync(path.join(DOCS_OUTPUT, ASSETS), { recursive: true })
  const maker = path.resolve('dist', DOCS_MAKER.replace(/\.ts$/, '.js'))
  const { makeSite } = await import(pathToFileURL(maker).href)
  const site = makeSite('.', writePictures())
  const { script, modules } = await bundleScript('src/console/docs/main.ts')
  const assets = {
    style: writeAsset('docs', '.css', styleText()),
    script: writeAsset('docs', '.js', script),
    sections: writeAsset('sections', '.json', JSON.stringify(site.sections)),
  }
  for (const page of site.pages) {
    const file = path.join(DOCS_OUTPUT, `${page.place === '' ? 'index' : page.place}.html`)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    writeForms(file, site.render(page, assets), QUALITY)
  }
  writeForms(path.join(DOCS_OUTPUT, 'licenses.txt'), licensesOf(modules), QUALITY)
  for (const [name, text] of site.texts) writeForms(path.join(DOCS_OUTPUT, name), text, QUALITY)
}

/**
 * @param {string} name
 * @param {string} end
 * @param {string} text
 */
function writeAsset(name, end, text) {
  const file = `${name}-${hashOf(text)}${end}`
  writeForms(path.join(DOCS_OUTPUT, ASSETS, file), text, QUALITY)
  return `${ADDRESS}/${file}`
}

/** The colors of the console, light ones where the system asks for them and the reader has not chosen. */
function styleText() {
  const theme = fs.readFileSync('src/console/theme.css', 'utf8')
  const light = /:root\[data-theme="light"\] (\{[^}]*\})/.exec(theme)?.[1]
  const bySystem = `@media (prefers-color-scheme: light) { :root:not([data-theme]) ${light} }`
  const own = fs.readFileSync('src/console/docs/docs.css', 'utf8')
  return smallStyle([theme, bySystem, own].join('\n'))
}

/** Bytes of a PNG before its width, which its height follows. */
const PNG_WIDTH_AT = 16

/** Returns each picture's address and size, by its file. */
function writePictures() {
  return new Map(
    filesIn(PICTURES).map((file) => {
      const bytes = fs.readFileSync(file)
      const name = `${path.basename(file, '.png')}-${hashOf(bytes)}.png`
      fs.writeFileSync(path.join(DOCS_OUTPUT, ASSETS, name), bytes)
      const [width, height] = [
        bytes.readUInt32BE(PNG_WIDTH_AT),
        bytes.readUInt32BE(PNG_WIDTH_AT + 4),
      ]
      return [file, { address: `${ADDRESS}/${name}`, width, height }]
    }),
  )
}
