/** The search of the documents, over the sections that the site has. */
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeSite } from '../../../scripts/site/site.ts'
import { Search } from '../../../src/console/docs/search.ts'

const { sections } = makeSite(path.resolve(import.meta.dirname, '../../..'), new Map())
const search = new Search(async () => sections)
const addressesOf = async (query: string) =>
  (await search.find(query)).map(({ address }) => address.replace('/docs/', ''))

/** What people type, and the page that stands first; behind # a section of it among the first three. */
const questions = [
  ['how do I sign', 'guides/signing'],
  ['make a key', 'guides/keys#an-hmac-key'],
  ['what is -1013', 'api/errors#-1013'],
  ['local order book', 'guides/local-book'],
  ['what are the limits', 'guides/limits'],
  ['get my fills', 'guides/fills'],
  ['cancel everything', 'guides/cancel'],
  ['response lost', 'guides/lost-responses'],
  ['stop the demo', 'guides/stop-and-reset'],
  ['reset the data', 'guides/stop-and-reset#reset-the-data'],
  ['coming from testnet', 'guides/testnet'],
  ['reconnect', 'guides/reconnecting'],
  ['disk full', 'guides/disk-full'],
  ['slow client', 'guides/slow-clients'],
  ['rotate operator token', 'operate#rotate-a-token'],
  ['how many matchers', 'tune#how-many-matchers'],
  ['back up', 'backup#back-up'],
  ['upgrade', 'backup#upgrade'],
  ['halt a symbol', 'phases#halt-a-symbol'],
  ['alert me', 'watch#alerts'],
  ['test a bot', 'guides/testing-a-bot'],
  ['test a lost answer', 'guides/testing-a-bot#how-do-i-test-a-lost-answer'],
  ['test a partial fill', 'guides/testing-a-bot#how-do-i-test-a-partial-fill'],
  ['test the end of a day', 'guides/testing-a-bot#how-do-i-test-the-end-of-a-day'],
  ['test a bad network', 'guides/testing-a-bot#how-do-i-test-a-bad-network'],
  ['test a crash', 'guides/testing-a-bot#how-do-i-test-a-crash-of-mine'],
] as const

describe('a question finds its page', () => {
  test.each(questions)('%s', async (query, expected) => {
    const found = (await addressesOf(query)).slice(0, 3)
    expect(found[0]?.split('#')[0]).toBe(expected.split('#')[0])
    expect(found).toContain(expected)
  })
})

/** Other words for the same, and queries about one thing; the page or section is among the first three. */
const others = [
  ['create api key', 'guides/keys#an-hmac-key'],
  ['invalid signature', 'api/errors#-1022'],
  ['filter failure LOT_SIZE', 'guides/filters#price-quantity-amount'],
  ['orderbook out of sync', 'guides/local-book'],
  ['rate limits', 'guides/limits'],
  ['418', 'guides/limits#bans'],
  ['my trades', 'guides/fills'],
  ['cancel all orders', 'guides/cancel'],
  ['timeout, order unknown', 'guides/lost-responses#retries'],
  ['shutting down', 'guides/stop-and-reset#stop'],
  ['wipe all data', 'guides/stop-and-reset#reset-the-data'],
  ['websocket disconnected', 'guides/reconnecting#why-a-websocket-ends'],
  ['no space left', 'guides/disk-full'],
  ['change token of an operator', 'operate#rotate-a-token'],
  ['more matchers', 'tune#how-many-matchers'],
  ['backup', 'backup#back-up'],
  ['overload', 'operate#overload'],
  ['-2010', 'api/errors#-2010'],
  ['order/cancelReplace', 'api/trading#post-apiv3ordercancelreplace'],
] as const
test.each(others)('%s finds its page, too', async (query, expected) => {
  expect((await addressesOf(query)).slice(0, 3)).toContain(expected)
})

test('a section that has all words comes before one that has some', async () => {
  const words = new Search(async () => ({
    operations: {},
    sections: ['red fox', 'red', 'fox and red'].map((text, at) => ({
      page: `${at}`,
      heading: '',
      address: `/docs/${at}`,
      text,
    })),
  }))
  const found = await words.find('red fox')
  expect(found.map(({ title }) => title).slice(2)).toEqual(['1'])
  expect(await words.find('zzzz')).toEqual([])
})

test('the words that were found are marked in the excerpt, in every form', async () => {
  const text = `${'- '.repeat(60)}She cancels, canceling all that was canceled.`
  const section = { page: 'Page', heading: 'Part', address: '/docs/page#part', text }
  const one = new Search(async () => ({ operations: {}, sections: [section] }))
  const [{ title, excerpt } = { title: '', excerpt: [] }] = await one.find('cancel')
  expect(title).toBe('Page: Part')
  expect(excerpt.filter(({ isMarked }) => isMarked).map((it) => it.text)).toEqual([
    ...['cancels', 'canceling', 'canceled'],
  ])
  const shown = excerpt.map((it) => it.text).join('')
  expect(shown).toMatch(/^… .*canceled\.$/)
})

test('a page alone does not fill the list', async () => {
  const pages = (await addressesOf('sign')).map((address) => address.split('#')[0])
  expect(pages.filter((page) => page === 'guides/signing').length).toBe(3)
  expect(pages.length).toBe(12)
})
