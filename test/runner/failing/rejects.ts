import { test } from 'vitest'

test('leaves an error that nobody catches', async () => {
  Promise.reject(new Error('nobody catches it'))
  await new Promise((resolve) => setTimeout(resolve, 50))
})
