/** Completion, run by the shells that are installed: bash is everywhere, zsh and fish are not. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { completionFor, shells } from '../../../src/cli/completion.ts'
import { describedActions } from '../../../src/cli/local-actions.ts'
import { actions } from '../../../src/control/commands.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-completion-'))
afterAll(() => rmSync(folder, { recursive: true }))
const fileOf = (shell: string): string => path.join(folder, `ringbook.${shell}`)
for (const shell of shells) writeFileSync(fileOf(shell), completionFor(shell, describedActions()))
writeFileSync(path.join(folder, 'filters.json'), '[]')
const isInstalled = (shell: string): boolean =>
  spawnSync(shell, ['-c', 'true'], { stdio: 'ignore' }).status === 0

/** By line: what completes its last word, and the words that must not be among them. */
const lines: readonly (readonly [line: string, completions: readonly string[] | RegExp])[] = [
  ['deposi', ['deposit']],
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
  ['completion f', ['fish']],
  ['restore --tok', ['--token-file']],
  ['--durab', ['--durability']],
  ['--durability f', ['flushed']],
]

describe('bash', () => {
  const completed = (line: string): string[] => {
    const words = ['ringbook', ...line.split(' ')].map((word) => `'${word}'`)
    const program = `source ${fileOf('bash')}; complete -p ringbook >/dev/null || exit 9
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

function fishCompletes(): void {
  for (const [line, completions] of lines) {
    const program = `source ${fileOf('fish')}; complete -C 'ringbook ${line}'`
    const text = execFileSync('fish', ['-N', '-c', program], { encoding: 'utf8' })
    const found = text.trim().split('\n')
    expect(found.map((row) => row.split('\t')[0]).sort(), line).toEqual(completions)
  }
}

test('the programs for zsh and fish have every action and flag', () => {
  const [zsh, fish] = [completionFor('zsh', actions), completionFor('fish', actions)]
  expect(zsh).toMatch(/^#compdef ringbook\n/)
  if (isInstalled('fish')) fishCompletes()
  if (isInstalled('zsh')) execFileSync('zsh', ['-n', fileOf('zsh')])
  for (const { name, params } of actions) {
    expect(fish).toContain(` -fa ${name} -d `)
    for (const param of params) {
      expect(zsh).toContain(` --${param.name}`)
      expect(fish).toContain(`from ${name}' -l ${param.name} `)
    }
  }
})
