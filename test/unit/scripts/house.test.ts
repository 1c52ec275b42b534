/** What `npm run house` counts, on small inputs whose counts are seen at a glance. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  aliasedImports,
  attributeFiles,
  circles,
  rawOffsets,
} from '../../../scripts/house/counts.ts'
import { readDoors } from '../../../scripts/house/doors.ts'
import { functionLengths } from '../../../scripts/house/functions.ts'

const texts = (files: Readonly<Record<string, string>>) => new Map(Object.entries(files))

test('raw offsets are bytes that are read or written by hand in src', () => {
  const files = texts({
    'src/core/a.ts': 'i32[word + Trade.lots] = f64[double + Trade.id]!\nbuffer.i32[at >> 2]',
    'src/core/b.ts': 'i32[(at >> 2) + Rejected.reason]',
    'src/core/c.ts': 'rows[row.index]; Trade.lots(buffer, at); words(i32, 4)',
    'src/core/d.ts': 'const view = new DataView(key.buffer)\nview.setUint16(4, symbolId)',
    'src/core/e.ts': 'key.readBigUInt64BE(0); key.writeUInt32BE(1); view.getFloat64(8, true)',
    'src/core/f.ts':
      'records[slot | 2] = head[4]! + records[slot | KEY]! + head[BEST + (side ^ 1)]!',
    'src/layout/records.gen.ts': 'i32[word + Trade.lots]',
    'test/unit/core/a.ts': 'i32[word + Trade.lots]',
  })
  expect(rawOffsets(files)).toEqual([
    { file: 'src/core/a.ts', count: 3 },
    { file: 'src/core/e.ts', count: 3 },
    { file: 'src/core/d.ts', count: 2 },
    { file: 'src/core/f.ts', count: 2 },
    { file: 'src/core/b.ts', count: 1 },
  ])
})

test('an attribute stands in the hand-written files of src that name it', () => {
  const files = texts({
    'src/a.ts': 'const { trailingDelta } = order',
    'src/b.ts': 'readTrailingDelta(buffer, at)',
    'src/c.ts': 'trailingDeltas',
    'src/records.gen.ts': 'trailingDelta',
    'test/a.ts': 'trailingDelta',
  })
  expect(attributeFiles(files)).toMatchObject({ trailingDelta: ['src/a.ts', 'src/b.ts'] })
})

test('an aliased import takes a whole file apart, or goes by a name of the package', () => {
  const files = texts({
    'src/a.ts': "import * as codes from './codes.ts'\nconst { Side } = codes",
    'src/b.ts': "import * as fs from 'node:fs'\nfs.readFileSync('x')",
    'src/c.ts': "import { Side } from '#base/codes.ts'",
    'src/d.ts': "import { Side } from './codes.ts'",
  })
  const one = (file: string) => ({ file, count: 1 })
  expect(aliasedImports(files)).toEqual([one('src/a.ts'), one('src/c.ts')])
})

test('circles are found once each; those of types alone only when asked for', () => {
  const files = texts({
    'src/a.ts': "import { b } from './b.ts'",
    'src/b.ts': "import {\n  c,\n} from './c.ts'",
    'src/c.ts': "import { a } from './a.ts'",
    'src/d.ts': "import { a } from './a.ts'\nimport { type F } from './f.ts'",
    'src/e.ts': "import type { D } from './d.ts'",
    'src/f.ts': "export { E } from './e.ts'",
  })
  const running = [['src/a.ts', 'src/b.ts', 'src/c.ts']]
  expect(circles(files)).toEqual(running)
  expect(circles(files, true)).toEqual([...running, ['src/d.ts', 'src/e.ts', 'src/f.ts']])
})

test('doors are used, unused, or not there', () => {
  const room = (file: string) => file.split('/')[1]!
  const table = {
    doors: { base: [], core: ['base'], api: ['base', 'core'] },
    ...{ ground: [], roomOf: room, targetOf: room },
  }
  const files = texts({
    'src/base/a.ts': "import { c } from '../core/c.ts'",
    'src/core/c.ts': "import { a } from '../base/a.ts'\nimport { d } from './d.ts'",
    'src/core/d.ts': "import path from 'node:path'",
    'src/api/e.ts': "import { c } from '../core/c.ts'\nimport { c } from '../core/c.test.ts'",
    'src/core/c.test.ts': '',
  })
  expect(readDoors(files, [table])).toEqual({
    used: ['core → base', 'api → core'],
    unused: ['api → base'],
    shut: ['src/base/a.ts: ../core/c.ts', 'src/api/e.ts: ../core/c.test.ts'],
  })
})

test('functions are as long as from their first line to their last', () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'ringbook-house-'))
  try {
    writeFileSync(
      path.join(root, 'tsconfig.json'),
      '{ "compilerOptions": { "noLib": true, "types": [] }, "files": ["a.ts", "b.ts"] }',
    )
    writeFileSync(
      path.join(root, 'a.ts'),
      [
        '/** Not counted. */\nfunction three() {\n  return 3\n}',
        'const arrow = () => 1\nclass Four {\n  four() {\n    const one = 1\n    return one\n  }\n}',
      ].join('\n'),
    )
    writeFileSync(path.join(root, 'b.ts'), 'function hidden() {}\n')
    expect(functionLengths(root, (file) => file === 'a.ts')).toEqual([
      { place: 'a.ts:7', name: 'four', lines: 4 },
      { place: 'a.ts:2', name: 'three', lines: 3 },
      { place: 'a.ts:5', name: 'arrow', lines: 1 },
    ])
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})

test('functions of src, scripts and benches have at most 70 lines', () => {
  const lengths = functionLengths(process.cwd(), (file) => /^(src|scripts|bench)\//.test(file))
  expect(lengths.filter(({ lines }) => lines > 70)).toEqual([])
})
