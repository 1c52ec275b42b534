/** Text in a fixed number of bytes: a letter of Latin-1 each, none of them zero, and zeros behind the last. */
import { assert } from './assert.ts'

export function writeText(bytes: Uint8Array, at: number, bytesMax: number, text: string): void {
  assert(text.length <= bytesMax, 'a text fits in its field')
  for (let i = 0; i < bytesMax; i++) {
    const code = i < text.length ? text.charCodeAt(i) : 0
    assert(code < 256, 'a text has letters of one byte')
    bytes[at + i] = code
  }
}

export function readText(bytes: Uint8Array, at: number, bytesMax: number): string {
  let text = ''
  for (let i = 0; i < bytesMax; i++) {
    const code = bytes[at + i]!
    if (code === 0) break
    text += String.fromCharCode(code)
  }
  return text
}
