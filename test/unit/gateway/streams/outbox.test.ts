import { beforeEach, expect, test } from 'vitest'
import { jsonEncoder } from '../../../../src/api/answers/encoders.ts'
import { jsonBytes } from '../../../../src/api/answers/json-bytes.ts'
import { type Frame, Outbox, type Sender } from '../../../../src/gateway/streams/outbox.ts'

let outbox: Outbox
let sent: string[]
function sender(name: string): Sender {
  const kept: Frame[] = []
  const sendKept = () => {
    const texts = kept.map((frame) => Buffer.from(frame).toString())
    sent.push(`${name}: ${texts.join(' ')}`)
    kept.length = 0
  }
  return { encoder: jsonEncoder, kept, sendKept }
}
let [one, other] = [sender('one'), sender('other')]

beforeEach(() => {
  one = sender('one')
  other = sender('other')
  outbox = new Outbox()
  sent = []
})

test('keeps nothing while it is closed', () => {
  expect(outbox.take(one, Buffer.from('a'))).toBe(false)
  outbox.flush()
  expect(sent).toEqual([])
})

test('sends what it took, in order, together for each', () => {
  outbox.open()
  for (const text of ['a', 'b']) expect(outbox.take(one, Buffer.from(text))).toBe(true)
  outbox.take(other, Buffer.from('c'))
  outbox.take(one, Buffer.from('d'))
  expect(sent).toEqual([])
  outbox.flush()
  expect(sent).toEqual(['one: a b d', 'other: c'])
})

test('forgets what it sent, and is closed afterwards', () => {
  outbox.open()
  outbox.take(one, Buffer.from('a'))
  outbox.flush()
  expect(outbox.take(one, Buffer.from('b'))).toBe(false)
  outbox.open()
  outbox.flush()
  expect(sent).toEqual(['one: a'])
})

test('bytes that it took stay whole until they are sent', () => {
  const written = (text: string): Frame => {
    jsonBytes.begin()
    jsonBytes.text(text)
    return jsonBytes.view()
  }
  outbox.open()
  for (const text of ['a', 'bb', 'ccc']) outbox.take(one, written(text))
  written('sent at once')
  outbox.flush()
  expect(sent).toEqual(['one: a bb ccc'])
  expect((written('d') as Uint8Array).byteOffset).toBe(0)
})
