/** The frame of every page: head, side navigation, the page, what is on it. */
import type { Section } from './markup.ts'
import { escaped } from './markup.ts'
import { SITE_ADDRESS } from './places.ts'

export interface NavigationLink {
  readonly title: string
  readonly address: string
}

export interface NavigationGroup {
  readonly title: string
  readonly links: readonly NavigationLink[]
}

export interface Assets {
  readonly style: string
  readonly script: string
  /** The text of all sections, which the search reads. */
  readonly sections: string
}

export interface Page {
  readonly place: string
  readonly address: string
  readonly title: string
  readonly sections: readonly Section[]
  /** Above the first heading of depth 2. */
  readonly lead?: string
}

const LEVELS_LISTED = 2
const LISTED_MIN = 3

function navigation(groups: readonly NavigationGroup[], address: string): string {
  const parts = groups.map(({ title, links }) => {
    const items = links.map((link) => {
      const mark = link.address === address ? ' aria-current="page"' : ''
      return `<li><a href="${link.address}"${mark}>${escaped(link.title)}</a></li>`
    })
    return `<p>${escaped(title)}</p><ul>${items.join('')}</ul>`
  })
  return `<nav id="pages" class="pages" aria-label="Pages">${parts.join('')}</nav>`
}

function contents(sections: readonly Section[]): string {
  const listed = sections.filter(({ depth }) => depth === LEVELS_LISTED)
  if (listed.length < LISTED_MIN) return ''
  const items = listed.map((it) => `<li><a href="#${it.anchor}">${escaped(it.heading)}</a></li>`)
  const list = `<p>On this page</p><ul>${items.join('')}</ul>`
  return `<nav class="contents" aria-label="On this page">${list}</nav>`
}

function sectionPart({ anchor, heading, depth, html }: Section): string {
  if (depth === 0) return html
  const link =
    depth === 1
      ? ''
      : ` <a class="anchor" href="#${anchor}" aria-label="Link to ${escaped(heading)}">#</a>`
  return `<h${depth} id="${anchor}">${escaped(heading)}${link}</h${depth}>${html}`
}

const SEARCH =
  '<form role="search" class="search" id="search">' +
  '<label class="hidden" for="query">Search the documents</label><input id="query" type="search" ' +
  'placeholder="Search, or press /" autocomplete="off" spellcheck="false">' +
  '<div id="found" class="found" hidden></div></form>'

export function pageText(
  page: Page,
  groups: readonly NavigationGroup[],
  { style, script, sections }: Assets,
): string {
  const title = escaped(page.title)
  const body = page.sections.map(
    (section, at) => sectionPart(section) + (at === 0 ? (page.lead ?? '') : ''),
  )
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta name="color-scheme" content="dark light"><title>${title} · Ringbook</title>`,
    `<link rel="icon" href="data:,"><link rel="stylesheet" href="${style}">`,
    `<link rel="license" href="${SITE_ADDRESS}/licenses.txt">`,
    `<script src="${script}" data-sections="${sections}" defer></script></head><body>`,
    '<a class="skip" href="#page">Skip to the page</a><header class="head">',
    '<button type="button" class="menu" id="menu" aria-expanded="false" aria-controls="pages">Pages',
    '</button>',
    `<a class="brand" href="${SITE_ADDRESS}">Ringbook</a>${SEARCH}<a href="/">Console</a>`,
    '<button type="button" id="theme" class="plain" aria-label="Dark or light">◐</button></header>',
    `<div class="columns">${navigation(groups, page.address)}`,
    `<main id="page" tabindex="-1">${body.join('')}</main>${contents(page.sections)}</div></body></html>`,
  ].join('')
}
