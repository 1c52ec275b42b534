import { expect, test } from 'vitest'
import { parseProcessors } from '../../../src/base/processor-list.ts'

test.each([
  ['', []],
  ['0', [0]],
  ['0,2-4', [0, 2, 3, 4]],
  [' 3 , 1 ', [3, 1]],
  ['7-7,7', [7, 7]],
  ['8191', [8191]],
])('%j is %j', (text, processors) => {
  expect(parseProcessors(text)).toEqual(processors)
})

test.each([
  'all',
  '-1',
  '1-',
  '4-2',
  '0,x',
  '1.5',
  '0x1',
  '8192',
  '0-8192',
  '1-2-3',
  '1 2',
])('%j is no list', (text) => {
  expect(parseProcessors(text)).toBeUndefined()
})
