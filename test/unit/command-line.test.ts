import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Grammar, readCommandLine } from '../../src/config/command-line.ts'

class Refused extends Error {}

const settings: Grammar = { flags: ['port', 'data'], switches: ['help'] }
const act: Grammar = { switches: ['json', 'help'], hasWords: true }

test.each([
  [settings, '--prot 1', '--prot is not a known flag. Did you mean --port?'],
  [settings, '--prot=1 --port', '--prot is not a known flag. Did you mean --port?'],
  [settings, '--port', '--port needs a value.'],
  [settings, '--port 1 --port=2', '--port is given twice.'],
  [settings, '--port 1 stray', 'stray is not a flag. See --help.'],
  [settings, '-p 1', '-p is not a flag. See --help.'],
  [settings, '--help=1', '--help takes no value.'],
  [settings, '--colour 1', '--colour is not a known flag. See --help.'],
  [settings, '--__proto__ 1', '--__proto__ is not a known flag. See --help.'],
  [act, 'halt --symbol', '--symbol needs a value.'],
  [act, 'halt --symbol X --symbol Y', '--symbol is given twice.'],
])('%j refuses %s in one sentence', (grammar, line, sentence) => {
  const refused = () => readCommandLine(line.split(' '), grammar, Refused)
  expect(refused).toThrow(Refused)
  expect(refused).toThrow(new Error(sentence))
})

test('one letter stands for a flag, and a value may be left out', () => {
  const grammar = { ...act, short: { o: 'output' }, optional: ['watch'] }
  const read = (line: string) => {
    const { flags, words } = readCommandLine(line.split(' '), grammar, Refused)
    return [Object.fromEntries(flags), words]
  }
  expect(read('orders -o csv alice')).toEqual([{ output: 'csv' }, ['orders', 'alice']])
  expect(read('orders -ocsv --watch alice')).toEqual([
    { output: 'csv', watch: '' },
    ['orders', 'alice'],
  ])
  expect(read('deposit -5 --watch=3 --output json')).toEqual([
    { output: 'json', watch: '3' },
    ['deposit', '-5'],
  ])
  expect(() => read('orders -o')).toThrow('--output needs a value.')
  expect(() => read('orders -o csv --output json')).toThrow('--output is given twice.')
})

test('a flag that stands as a value is that value', () => {
  const { flags, switches } = readCommandLine(['--data', '--port', '--help'], settings, Refused)
  expect([...flags]).toEqual([['data', '--port']])
  expect([...switches]).toEqual(['help'])
})

test('of a flag that may be repeated the last value counts', () => {
  const line = ['--port', '1', '--port=2']
  const { flags } = readCommandLine(line, { ...settings, mayRepeat: true }, Refused)
  expect([...flags]).toEqual([['port', '2']])
})

test('values of a list add up', () => {
  const line = ['--port', '1', '--port=2,3']
  const { flags } = readCommandLine(line, { ...settings, lists: ['port'] }, Refused)
  expect([...flags]).toEqual([['port', '1,2,3']])
})

test('what follows -- is words', () => {
  const { words, flags } = readCommandLine(['a', '--', '--note', 'x'], act, Refused)
  expect([words, [...flags]]).toEqual([['a', '--note', 'x'], []])
})

const name = fc.stringMatching(/^[a-z][a-z-]{0,7}$/).filter((it) => !/^(json|help)$/.test(it))
const value = fc.oneof(fc.string(), fc.constantFrom('-5', '-0.1', '--x', '@file', '', '-', '='))
const word = fc
  .oneof(fc.string({ minLength: 1 }), fc.constantFrom('-5', '-0.5', '-abc', '-', 'a=b', '-x=1'))
  .filter((text) => !text.startsWith('--') && text !== '')
const part = fc.oneof(
  fc.record({ name, value, isInline: fc.boolean() }),
  fc.record({ word }),
  fc.record({ switched: fc.constantFrom('json', 'help') }),
)

test('any line comes apart as it was put together', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(part, { selector: (it) => ('name' in it ? it.name : it) }),
      (parts) => {
        const args = parts.flatMap((it) => {
          if ('word' in it) return [it.word]
          if ('switched' in it) return [`--${it.switched}`]
          return it.isInline ? [`--${it.name}=${it.value}`] : [`--${it.name}`, it.value]
        })
        const line = readCommandLine(args, act, Refused)
        expect(line.words).toEqual(parts.flatMap((it) => ('word' in it ? [it.word] : [])))
        expect([...line.flags]).toEqual(
          parts.flatMap((it) => ('name' in it ? [[it.name, it.value]] : [])),
        )
        const switched = parts.flatMap((it) => ('switched' in it ? [it.switched] : []))
        expect(line.switches).toEqual(new Set(switched))
      },
    ),
    { numRuns: 2000 },
  )
})
