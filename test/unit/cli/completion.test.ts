/** Completion, run by bash. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { completionFor } from '../../../src/cli/completion.ts'
import { describedActions } from '../../../src/cli/local-actions.ts'
import { actions } from '../../../src/control/commands.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'

const folder = temporaryFolder()
const file = path.join(folder, 'ringbook.bash')
writeFileSync(file, completionFor('bash', describedActions()))
writeFileSync(path.join(folder, 'filters.json'), '[]')

/** By line: what completes its last word, and the words that must not be among them. */
const lines: readonly (readonly [line: string, completions: readonly string[] | RegExp])[] = [
  ['distri', ['distribute']],
  ['symbol-st', ['symbol-status']],
  ['symbol-status BTCUSDT H', ['HALT']],
  ['symbol-status BTCUSDT --st', ['--status']],
  ['symbol-status --status H', ['HALT']],
  ['key-create alice --kind ED', ['ED25519']],
  ['maintenance o', ['off', 'on']],
  ['operator-add carol s', ['support']],
  ['orders -o c', ['csv']],
  ['orders alice --wat', ['--watch']],
  ['orders alice --aft', ['--after']],
  ['venue app', ['apply']],
  ['help symbol-st', ['symbol-status']],
  ['completion b', ['bash']],
  ['restore --tok', ['--token-file']],
  ['--durab', ['--durability']],
  ['--durability f', ['flushed']],
]

describe('bash', () => {
  const completed = (line: string): string[] => {
    const words = ['ringbook', ...line.split(' ')].map((word) => `'${word}'`)
    const program = `source ${file}; complete -p ringbook >/dev/null || exit 9
      COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _ringbook
      printf '%s\\n' "\${COMPREPLY[@]}"`
    const text = execFileSync('bash', ['-c', program], { cwd: folder, encoding: 'utf8' })
    return text.trim().split('\n').sort()
  }
  test.each(lines)('%s', (line, completions) => {
    expect(completed(line)).toEqual(completions)
  })

  test('all actions, all their flags, and files', () => {
    const names = completed('')
    for (const { name } of describedActions()) expect(names).toContain(name)
    for (const { name, params } of actions) {
      const flags = completed(`${name} --`)
      for (const param of params) expect(flags).toContain(`--${param.name}`)
    }
    expect(completed('symbol-filters BTCUSDT @filt')).toEqual(['@filters.json'])
    expect(completed('restore filt')).toEqual(['filters.json'])
  })
})
