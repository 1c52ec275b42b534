/** Which files of the project are pages, and the addresses that the exchange serves them at. */
import fs from 'node:fs'
import path from 'node:path'

export const SITE_ADDRESS = '/docs'
/** Pages whose addresses do not follow from their files. */
const named: Readonly<Record<string, string>> = {
  'README.md': 'start',
  'src/README.md': 'architecture',
  'src/layout/schema.ts': 'records',
}
const EXAMPLE = /^examples\/.*\.([cm]js|ts|py|sh|toml|json|yml|md)$/

/** Returns the address below SITE_ADDRESS: '' for the first page, undefined for a file that is no page. */
export function placeOf(file: string): string | undefined {
  const given = named[file]
  if (given !== undefined) return given
  if (EXAMPLE.test(file)) return withoutIndex(file)
  const page = /^docs\/(.*)\.md$/.exec(file)?.[1]
  return page === undefined ? undefined : withoutIndex(`${page}.md`)
}

/** A folder's README is the folder's page. */
const withoutIndex = (file: string): string =>
  file.replace(/(^|\/)README\.md$/, '').replace(/\.md$/, '')

export const addressOf = (place: string): string =>
  place === '' ? SITE_ADDRESS : `${SITE_ADDRESS}/${place}`

/** Returns all files that become pages, from the root. */
export function pageFiles(root: string): readonly string[] {
  const folders = ['docs', 'examples'].flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => path.posix.join(folder, name)),
  )
  return [...Object.keys(named), ...folders].filter((file) => placeOf(file) !== undefined).sort()
}
