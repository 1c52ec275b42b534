/** Defects of src/config. */
import { inRoom } from '../defect.ts'

export const config = inRoom('config', [
  [
    'a variable wins over its flag',
    'unit/config',
    'config.ts',
    'const given = sources.find(',
    'const given = sources.findLast(',
  ],
  [
    'a follower may remove old segments',
    'unit/config',
    'config.ts',
    "config.keepJournalDays !== 0 && (config.follow !== '' || config.replica !== '')",
    "config.keepJournalDays !== 0 && config.replica !== ''",
  ],
  [
    'a leader of a quorum may remove old segments',
    'unit/config',
    'config.ts',
    "config.keepJournalDays !== 0 && (config.follow !== '' || config.replica !== '')",
    "config.keepJournalDays !== 0 && config.follow !== ''",
  ],
  [
    'an address with its password is shown',
    'unit/config',
    'config.ts',
    "['text', 'postgres']",
    "['text']",
  ],
  [
    'a flag may be given twice',
    'unit/command-line',
    'command-line.ts',
    'flags.has(name) && !mayRepeat',
    'flags.has(name) && mayRepeat',
  ],
  [
    'what follows -- is flags',
    'unit/command-line',
    'command-line.ts',
    "if (token.kind === 'option-terminator') continue",
    "if (token.kind === 'option-terminator') break",
  ],
])
