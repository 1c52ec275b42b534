/** The edits of the made-up attribute still meet the code that they are for. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { edits } from './order-tag.ts'

test.each(edits)('$file: $from', ({ file, from }) => {
  expect(readFileSync(file, 'utf8').split(from).length - 1).toBe(1)
})
