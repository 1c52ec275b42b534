/** What documents name: relative links with their headings, and files of this project in backticks. */
import path from 'node:path'
import { anchorOf } from '../scripts/generate-api-docs.ts'

/** Folders whose files a document names from the project's root. */
const fromRoot = /^(src|test|scripts|bench|native-bench|docs)\//
/** Folders of test/, named without it in tables of tests. */
const ofTests = /^(unit|e2e|protocol|sim|contract|replay|stress|fuzz)\//

/** Returns the links and names of `text` that lead nowhere. `files` are all files, from the root. */
export function deadNames(
  document: string,
  text: string,
  files: readonly string[],
  read: (file: string) => string,
): readonly string[] {
  const isThere = (name: string) =>
    files.includes(name) || files.some((file) => file.startsWith(`${name.replace(/\/$/, '')}/`))
  const dead: string[] = []
  for (const [, link = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(link)) continue
    const [target = '', anchor] = link.split('#')
    const file =
      target === '' ? document : path.normalize(path.join(path.dirname(document), target))
    const hasHeading = anchor === undefined || (isThere(file) && anchors(read(file)).has(anchor))
    if (!isThere(file) || !hasHeading) dead.push(link)
  }
  for (const [, name = ''] of text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+\/?)`/g)) {
    const places = fromRoot.test(name)
      ? [name]
      : ofTests.test(name)
        ? [`test/${name}.test.ts`, `test/${name}`]
        : document.startsWith('src/') && isThere(`src/${name.split('/')[0]}`)
          ? [`src/${name}`]
          : []
    if (places.length > 0 && !places.some(isThere)) dead.push(name)
  }
  return dead
}

const anchors = (text: string) =>
  new Set([...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading)))
