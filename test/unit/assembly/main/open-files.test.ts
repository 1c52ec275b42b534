/** How many sockets of clients the process's limit of open files leaves room for. */
import { expect, test } from 'vitest'
import {
  acceptsWithin,
  filesOf,
  openFilesMax,
  socketsWithin,
} from '../../../../src/assembly/main/open-files.ts'
import { StartError } from '../../../../src/base/start-error.ts'

const sizes = { gateways: 2, matchers: 1, socketsMax: 1_000, acceptsPerAddress: 2_048 }

test.each([
  ['a limit', 'Max open files            512                  1024                 files', 512],
  ['none', 'Max open files            unlimited            unlimited            files', Infinity],
  ['a system without them', '', Infinity],
])('%s is read', (_, limits, expected) => {
  expect(openFilesMax(() => `Limit  Soft Limit\n${limits}\nMax locked memory 1 1 bytes\n`)).toBe(
    expected,
  )
})

test('the process has a limit, or a system without /proc', () => {
  expect(openFilesMax()).toBeGreaterThan(0)
})

test.each([
  ['the setting, when it fits', 10_000, 2_000],
  ['the setting, without a limit', Infinity, 2_000],
  ['what the limit leaves', filesOf(sizes) + 300, 300],
  ['the least that is worth a start', filesOf(sizes) + 16, 16],
])('sockets are %s', (_, filesMax, sockets) => {
  expect(socketsWithin(sizes, filesMax)).toBe(sockets)
})

test('a limit that leaves hardly any is refused in a sentence', () => {
  const least = filesOf(sizes) + 16
  expect(() => socketsWithin(sizes, least - 1)).toThrow(
    new StartError(
      `The limit of ${least - 1} open files is too low for 2 gateways and 1 matchers: raise it ` +
        `to at least ${least} (ulimit -n).`,
    ),
  )
})

test.each([
  ['the setting', { ...sizes, socketsMax: 100_000 }, 200_000, 2_048],
  ['a quarter of what fits', { ...sizes, socketsMax: 100_000 }, 272, 68],
  ['a quarter of what one gateway keeps', sizes, 2_000, 250],
  ['at least one', sizes, 1, 1],
])('one address may open %s in ten seconds', (_, of, sockets, accepts) => {
  expect(acceptsWithin(of, sockets)).toBe(accepts)
})
