/**
 * Bundles the pages of src/console for browsers, into dist/src/console: of each one script and one style
 * with hashes in their names, the licenses of the packages in it, the page that names them, and of each file
 * the forms that a server sends, compressed beforehand.
 *
 * Plain JavaScript, because build.mjs runs it before anything is built.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'

const SOURCE = 'src/console'
const OUTPUT = 'dist/src/console'
/** Where a page finds its files (src/base/page-files.ts reads what lies there). */
const ADDRESS = '/console/'
/** Folders of pages, with their styles in the order in which they apply. */
const PAGES = [
  { folder: '', styles: ['theme.css', 'style.css', 'console.css'] },
  {
    folder: 'operator',
    styles: ['theme.css', 'style.css', 'operator/operator.css'],
    packages: ['uplot/dist/uPlot.min.css'],
  },
]

const LICENSE_NAMES = ['LICENSE', 'LICENSE.md', 'LICENSE.txt']
/** What a package leaves out: its notice of copyright, before the usual text of the MIT license. */
const MIT_NOTICES = new Map([
  ['fancy-canvas', 'Copyright (c) 2019 TradingView, Inc'],
  ['qrcode-generator', 'Copyright (c) 2009 Kazuhiko Arase'],
])
/** What a license demands to be kept beside its text. */
const NOTICES = new Map([
  [
    'lightweight-charts',
    'TradingView Lightweight Charts™\n' +
      'Copyright (c) 2025 TradingView, Inc. https://www.tradingview.com/\n\n',
  ],
])
/** Has the usual text of the MIT license. */
const MIT_PACKAGE = 'preact'

/** @param {string | Buffer} bytes */
export const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex').slice(0, 12)

/** Bundles and writes the pages. */
export async function buildConsole() {
  fs.rmSync(OUTPUT, { recursive: true, force: true })
  for (const page of PAGES) await buildPage(page)
  // Reports read it (scripts/load/page.ts).
  fs.copyFileSync(path.join(SOURCE, 'theme.css'), path.join(OUTPUT, 'theme.css'))
}

/** @param {{ folder: string, styles: readonly string[], packages?: readonly string[] }} page */
async function buildPage({ folder, styles, packages = [] }) {
  const source = path.join(SOURCE, folder)
  const output = path.join(OUTPUT, folder)
  const { script, modules } = await bundleScript(path.join(source, 'main.tsx'))
  const paths = [
    ...packages.map((name) => path.join('node_modules', name)),
    ...styles.map((name) => path.join(SOURCE, name)),
  ]
  const style = smallStyle(paths.map((name) => fs.readFileSync(name, 'utf8')).join('\n'))
  const scriptName = `console-${hashOf(script)}.js`
  const styleName = `console-${hashOf(style)}.css`
  const licenses = licensesOf([...modules, ...paths])
  const licensesName = `licenses-${hashOf(licenses)}.txt`
  const page = fs
    .readFileSync(path.join(source, 'index.html'), 'utf8')
    .replace('console.css', `${ADDRESS}${styleName}`)
    .replace('main.tsx', `${ADDRESS}${scriptName}`)
    .replace('licenses.txt', `${ADDRESS}${licensesName}`)
  fs.mkdirSync(output, { recursive: true })
  writeForms(path.join(output, scriptName), script)
  writeForms(path.join(output, styleName), style)
  writeForms(path.join(output, licensesName), licenses)
  writeForms(path.join(output, 'index.html'), page)
}

/**
 * @param {string} input
 * @returns {Promise<{ script: string, modules: readonly string[] }>}
 */
export async function bundleScript(input) {
  const { rolldown } = await import('rolldown')
  const bundler = await rolldown({
    input,
    platform: 'browser',
    tsconfig: false,
    transform: { target: 'es2022', jsx: { runtime: 'automatic', importSource: 'preact' } },
  })
  const { output } = await bundler
    .generate({ format: 'esm', codeSplitting: false, minify: true })
    .finally(() => bundler.close())
  return { script: output[0].code, modules: output[0].moduleIds }
}

/**
 * The licenses of all packages that files of a page come from. Throws when one has none.
 *
 * @param {readonly string[]} files
 */
export function licensesOf(files) {
  const names = files.flatMap((file) => {
    const [, inPackage] = file.replaceAll('\\', '/').split(/.*node_modules\//)
    if (inPackage === undefined) return []
    return [inPackage.split('/', inPackage.startsWith('@') ? 2 : 1).join('/')]
  })
  const parts = [...new Set(names)].sort().map((name) => {
    const { version } = JSON.parse(
      fs.readFileSync(path.join('node_modules', name, 'package.json'), 'utf8'),
    )
    const rule = '-'.repeat(72)
    return `${rule}\n${name} ${version}\n${rule}\n\n${NOTICES.get(name) ?? ''}${licenseOf(name)}\n`
  })
  return `This page has code of these packages.\n\n${parts.join('\n')}`
}

/**
 * @param {string} name
 * @returns {string}
 */
function licenseOf(name) {
  const file = LICENSE_NAMES.map((it) => path.join('node_modules', name, it)).find(fs.existsSync)
  if (file !== undefined) return fs.readFileSync(file, 'utf8').trim()
  const notice = MIT_NOTICES.get(name)
  if (notice === undefined) throw new Error(`The package ${name} comes without its license.`)
  const text = licenseOf(MIT_PACKAGE)
  return `${notice}\n\n${text.slice(text.indexOf('Permission is hereby granted'))}`
}

/**
 * A style without comments and needless spaces.
 *
 * @param {string} text
 */
export function smallStyle(text) {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .trim()
}

/**
 * @param {string} file
 * @param {string} text
 * @param {number} quality of Brotli
 */
export function writeForms(file, text, quality = zlib.constants.BROTLI_MAX_QUALITY) {
  const bytes = Buffer.from(text)
  const params = { [zlib.constants.BROTLI_PARAM_QUALITY]: quality }
  fs.writeFileSync(file, bytes)
  fs.writeFileSync(`${file}.br`, zlib.brotliCompressSync(bytes, { params }))
  fs.writeFileSync(`${file}.gz`, zlib.gzipSync(bytes, { level: 9 }))
}
