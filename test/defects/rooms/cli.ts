/** Defects of src/cli. */
import { inRoom } from '../defect.ts'

export const cli = inRoom('cli', [
  [
    'a look gives up what is lost',
    'unit/cli/salvage',
    'salvage.ts',
    'if (!isWanted)',
    "if (!isWanted && text === '')",
  ],
  [
    'what is given up is not noted',
    'unit/cli/salvage',
    'salvage.ts',
    '    control.append(factOf(lost))\n',
    '',
  ],
  [
    'a member gives up what its quorum has',
    'unit/cli/salvage',
    'salvage.ts',
    'lost.some(({ log }) => log.isMembers)',
    'lost.length === 0',
  ],
  [
    'a folder in use is salvaged',
    'unit/cli/salvage',
    'salvage.ts',
    'if (lock?.isTaken)',
    'if (lock === undefined)',
  ],
  [
    'a salvage keeps the lock of its folder',
    'unit/cli/salvage',
    'salvage.ts',
    '    lock?.close()\n',
    '',
  ],
  [
    'a watched table is a row longer than the screen',
    'unit/cli/action-text',
    'watch.ts',
    '.slice(0, rows - 1)',
    '.slice(0, rows)',
  ],
  [
    'CSV that is repeated names its columns again',
    'unit/cli/action-text',
    'action-text.ts',
    'isContinued || rows.length === 0',
    'rows.length === 0',
  ],
  [
    'another program of the name is taken for this one',
    'unit/cli/invocation',
    'invocation.ts',
    'existsSync(file) && realpathSync(file) === program',
    'existsSync(file)',
  ],
])
