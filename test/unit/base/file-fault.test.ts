import { expect, test } from 'vitest'
import { storeFault } from '../../../src/base/file-fault.ts'

const failed = (code: string, message = `${code}: it failed`) =>
  Object.assign(new Error(message), { code })

test.each([
  [
    failed('ENOSPC'),
    'data/journal-0 cannot be used: the disk is full. Free space on its disk, then start again.',
  ],
  [
    new Error('less than 64 MiB of the disk are left'),
    'data/journal-0 cannot be used: less than 64 MiB of the disk are left. Free space on its disk, ' +
      'then start again.',
  ],
  [
    failed('EROFS'),
    'data/journal-0 cannot be used: the file system is read-only. Make its file system writable, ' +
      'then start again.',
  ],
  [
    new Error('MDB_CORRUPTED: Located page was wrong type'),
    'data/journal-0 cannot be used: its file is damaged (MDB_CORRUPTED). ringbook restore makes a ' +
      'data folder of a backup.',
  ],
  [failed('EFBIG', 'EFBIG'), 'data/journal-0 cannot be used: EFBIG.'],
])('%s', (error, sentence) => {
  expect(storeFault('data/journal-0', 'used', error)).toBe(sentence)
})
