/** All defects that are patches, as the lists of their rooms have them (rooms/*.txt; the form: docs/testing.md). */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { PatchedDefect } from './defect.ts'

const LISTS = 'test/defects/rooms'

/** Reads one room's list. A file that begins with `dist/` is a program as it is built. */
function defectsOf(room: string): PatchedDefect[] {
  const defects: { -readonly [Key in keyof PatchedDefect]: PatchedDefect[Key] }[] = []
  let file = ''
  let test = ''
  let only: string | undefined
  for (const line of readFileSync(path.join(LISTS, `${room}.txt`), 'utf8').split('\n')) {
    const [word, ...rest] = line.split(' ')
    const text = rest.join(' ')
    const last = defects.at(-1)
    if (word === 'file') file = text.startsWith('dist/') ? text : `src/${room}/${text}`
    else if (word === 'test') [test = '', only] = text.split(': ')
    else if (word === '-') last!.right += last!.right === '' ? text : `\n${text}`
    else if (word === '+') last!.wrong += last!.wrong === '' ? text : `\n${text}`
    else if (line !== '') {
      defects.push({ name: `${room}: ${line}`, file, right: '', wrong: '', test, only })
    }
  }
  return defects
}

export const patches: readonly PatchedDefect[] = readdirSync(LISTS).flatMap((list) =>
  defectsOf(path.basename(list, '.txt')),
)
