import { expect, test } from 'vitest'
import { PositionsOnDisk } from '../../../../src/assembly/main/member-notes.ts'
import { journalFolder, LmdbStore } from '../../../../src/journal/lmdb-store.ts'
import { CONTROL_JOURNAL } from '../../../../src/replica/quorum.ts'
import { folderPerTest } from '../../../fixtures/temporary-folder.ts'

const dataFolder = folderPerTest()

test('a member has the journals that no matcher writes any more, too', () => {
  for (const [matcher, count] of [2, 3, 5].entries()) {
    const store = new LmdbStore(journalFolder(dataFolder(), matcher))
    const blocks = Array.from({ length: count }, () => Buffer.from('a block'))
    store.append(() => blocks.pop())
    store.close()
  }
  let facts = 7
  let checkpointed = [1]
  const places = new PositionsOnDisk({
    dataFolder: dataFolder(),
    facts: () => facts,
    checkpointed: () => checkpointed,
  })
  const read = () => Object.fromEntries(places.read())
  expect(read()).toEqual({ [CONTROL_JOURNAL]: 7, 0: 1, 1: 3, 2: 5 })
  facts = 8
  checkpointed = [2]
  expect(read()).toEqual({ [CONTROL_JOURNAL]: 8, 0: 2, 1: 3, 2: 5 })
})
