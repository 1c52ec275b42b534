// Generated from layout/schema.ts by `npm run generate`. Do not edit.
/** The view of a RecordBuffer that heads are in. */
interface Words {
  readonly i32: Int32Array
}

/** The head of a record. */
export const headOf = (type: number, length: number, flags = 0): number =>
  type | (flags << 8) | (length << 16)
export const recordType = (words: Words, at: number): number => words.i32[at >> 2]! & 255
export const recordFlags = (words: Words, at: number): number => (words.i32[at >> 2]! >>> 8) & 255
export const recordLength = (words: Words, at: number): number => words.i32[at >> 2]! >>> 16

/** Writes the head of a record. */
export function writeHead(words: Words, at: number, type: number, length: number, flags = 0): void {
  words.i32[at >> 2] = headOf(type, length, flags)
}

/** Sets a flag of a record that is written. */
export function addFlag(words: Words, at: number, flag: number): void {
  words.i32[at >> 2] = words.i32[at >> 2]! | (flag << 8)
}
