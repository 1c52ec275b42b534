/** What `npm run tune` refuses: one sentence, before anything is measured. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'

const script = path.resolve(import.meta.dirname, '../../dist/bench/tune.js')

const refused = (...args: string[]): Promise<[code: unknown, stdout: string, stderr: string]> =>
  new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], (error, stdout, stderr) => {
      resolve([error?.code, stdout, stderr])
    })
  })

test('without a compiler it says so', async () => {
  const answer = await new Promise((resolve) => {
    execFile(process.execPath, [script], { env: { PATH: '/nowhere' } }, (error, stdout, stderr) => {
      resolve([error?.code, stdout, stderr])
    })
  })
  expect(answer).toEqual([
    1,
    '',
    'The load generator is built with make and g++: make is not there.\n',
  ])
})

test.each([
  [['--durability', 'never'], '--durability must be one of flushed, committed; it is never.\n'],
  [['--seconds', '0'], '--seconds must be 1 to 600.\n'],
  [['--port', '80'], '--port must be 1024 to 65534.\n'],
  [['--report', '/proc/tune.html'], '--report cannot be written: it does not exist.\n'],
  [['--report', '/proc'], '--report must be a file; /proc is a folder.\n'],
  [['--gateways', '1,two'], '--gateways must be counts such as 1,2,4.\n'],
])('%j', async (args, sentence) => {
  expect(await refused(...args)).toEqual([1, '', sentence])
})
