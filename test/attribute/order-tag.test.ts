/** The edits of the made-up attribute still find what they change. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { edits } from './order-tag.ts'

test.each(edits)('$file: $name', ({ file, apply }) => {
  const text = readFileSync(file, 'utf8')
  const changed = apply(text)
  expect(changed).not.toBe(text)
  expect(() => apply('// Nothing of this name.\n')).toThrow(`${file} has no `)
})
