/**
 * The documents as a site that the exchange serves under /docs: every page with navigation, and the
 * text that the search reads. scripts/build-docs.mjs writes it.
 */
import fs from 'node:fs'
import path from 'node:path'
import { schemas } from '../../src/api/answers/by-name.ts'
import { tagOf } from '../../src/api/openapi/document.ts'
import { operations } from '../../src/api/operations/index.ts'
import type { Section as SearchSection, Sections } from '../../src/console/docs/search.ts'
import { anchorOf, titleOf } from '../generate-api-docs.ts'
import { recordsMarkdown } from '../generate-records.ts'
import { type Assets, type NavigationGroup, type Page, pageText } from './layout.ts'
import { llmsFull, llmsIndex } from './llms.ts'
import type { Section, Surroundings } from './markup.ts'
import { codeBlock, linkAddress, type Picture, plainText, sectionsOf } from './markup.ts'
import { KEY_PART, operationParts, SHAPES_PLACE, shapeBlock } from './operation-parts.ts'
import { addressOf, pageFiles, placeOf } from './places.ts'

export interface Site {
  /** What the search reads. */
  readonly sections: Sections
  /** Texts for language models. */
  readonly texts: ReadonlyMap<string, string>
  readonly pages: readonly Page[]
  /** Returns a page as HTML. */
  render(page: Page, assets: Assets): string
}

const INDEX = 'docs/README.md'
/** Pages that are made of tables, by the file of the table. */
const made: Readonly<Record<string, () => string>> = { 'src/layout/schema.ts': recordsMarkdown }
const isMarkdown = (file: string): boolean => file.endsWith('.md') || made[file] !== undefined

/** Makes the site of the project in this folder. */
export function makeSite(root: string, pictures: ReadonlyMap<string, Picture>): Site {
  const read = (file: string) => made[file]?.() ?? fs.readFileSync(path.join(root, file), 'utf8')
  const files = pageFiles(root)
  const addresses = new Map(files.map((file) => [file, addressOf(placeOf(file)!)]))
  const pages = [
    ...files.map((file) => pageOf(read(file), { file, addresses, pictures })),
    shapesPage(),
  ]
  const groups = navigationOf(read(INDEX), { file: INDEX, addresses })
  const documents = files
    .filter(isMarkdown)
    .map((file) => [addresses.get(file)!, read(file)] as const)
  return {
    pages,
    sections: {
      // Data of programs would hide the pages about them.
      sections: pages.filter(({ place }) => !place.endsWith('.json')).flatMap(foundSections),
      operations: oldAnchors(),
    },
    texts: new Map([
      ['llms.txt', llmsIndex(groups)],
      ['llms-full.txt', llmsFull(documents)],
    ]),
    render: (page, assets) => pageText(page, groups, assets),
  }
}

function pageOf(text: string, surroundings: Surroundings): Page {
  const { file } = surroundings
  const place = placeOf(file)!
  const address = addressOf(place)
  if (!isMarkdown(file)) return codePage(file, text)
  const sections = sectionsOf(text, surroundings).map(withOperation)
  const title = sections.find(({ depth }) => depth === 1)?.heading ?? file
  const isOfOperations = sections.some(({ html }) => html.includes('data-key="signed"'))
  return { place, address, title, sections, ...(isOfOperations ? { lead: KEY_PART } : {}) }
}

/** A program of the examples. */
function codePage(file: string, text: string): Page {
  const place = placeOf(file)!
  const heading = path.basename(file)
  const section = { anchor: anchorOf(heading), heading, depth: 1, html: codeBlock(text, '') }
  return { place, address: addressOf(place), title: heading, sections: [section] }
}

/** Every shape that answers refer to. */
function shapesPage(): Page {
  const sections = Object.entries(schemas).map(([name, schema]) => ({
    anchor: name.toLowerCase(),
    heading: name,
    depth: 2,
    html: shapeBlock(schema),
  }))
  const about = `<p>What answers consist of, as <a href="/openapi.json">OpenAPI</a> has it (JSON Schema).</p>`
  const title: Section = { anchor: 'shapes', heading: 'Shapes', depth: 1, html: about }
  const place = SHAPES_PLACE
  return { place, address: addressOf(place), title: 'Shapes', sections: [title, ...sections] }
}

const operationsByTitle = new Map(operations.map((operation) => [titleOf(operation), operation]))

function withOperation(section: Section): Section {
  const operation = section.depth === 2 ? operationsByTitle.get(section.heading) : undefined
  if (operation === undefined) return section
  return { ...section, html: section.html + operationParts(operation) }
}

/** The groups and links of the first page: its headings, and the links below each. */
function navigationOf(
  index: string,
  surroundings: Pick<Surroundings, 'file' | 'addresses'>,
): readonly NavigationGroup[] {
  const groups = index.split(/^## /m).slice(1)
  return groups.map((text) => ({
    title: text.slice(0, text.indexOf('\n')),
    links: [...text.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].flatMap(([, title = '', href = '']) => {
      const address = linkAddress(surroundings, href)
      return address === undefined ? [] : [{ title, address }]
    }),
  }))
}

function foundSections({ title, address, sections }: Page): readonly SearchSection[] {
  return sections.map(({ anchor, heading, depth, html }) => ({
    page: title,
    heading,
    address: depth < 2 ? address : `${address}#${anchor}`,
    text: plainText(html.replace(/<div class="operation">[\s\S]*/, '')),
  }))
}

/** Where the anchors lead that /docs had for operations and shapes. */
function oldAnchors(): Readonly<Record<string, string>> {
  const ofOperations = operations.map((operation) => {
    const page = addressOf(`api/${tagOf(operation).toLowerCase().replaceAll(' ', '-')}`)
    return [operation.id, `${page}#${anchorOf(titleOf(operation))}`]
  })
  const ofShapes = Object.keys(schemas).map((name) => [
    name,
    `${addressOf(SHAPES_PLACE)}#${name.toLowerCase()}`,
  ])
  return Object.fromEntries([...ofShapes, ...ofOperations])
}
