import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JoinedTexts, slicesOfWhole } from '../../../src/api/render/whole-texts.ts'

const texts = fc.array(fc.string({ unit: 'binary' }), { maxLength: 300 })

test('slices are the texts', () => {
  const isSame = (given: string[]) => {
    expect(slicesOfWhole(given)).toEqual(given)
  }
  fc.assert(fc.property(texts, isSame))
})

test('a joined list is that of Array.join, at every length', () => {
  fc.assert(
    fc.property(texts, (given) => {
      const joined = new JoinedTexts()
      given.forEach((text, index) => {
        joined.add(text)
        expect(joined.text()).toBe(given.slice(0, index + 1).join())
      })
    }),
    { numRuns: 30 },
  )
})

test('an empty list is an empty text', () => {
  expect(new JoinedTexts().text()).toBe('')
})
