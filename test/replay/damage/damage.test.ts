/**
 * The table of damage: each file that a full exchange leaves, and everything that may happen to it alone. Each cell
 * ends in a refusal that names the file and the way out, or nothing that was acknowledged is lost. There is no
 * third. A folder that is an older copy as a whole has no witness, and is no cell.
 */
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MANIFEST } from '../../../src/journal/backup.ts'
import { restoreBackup } from '../../../src/journal/restore.ts'
import { makeQuickFolder } from '../../sim/quick-folder.ts'
import type { CellReport } from './cells.ts'
import { damagesOf, type FileKind, filesIn, kindOf, kinds, some } from './damages.ts'
import { type Acknowledged, copyOf, type FullFolder, makeFullFolder } from './full-folder.ts'
import type { Portrait, Sitters } from './portrait.ts'
import { type CellOutcome, CellRunner, differences, runCells } from './run-cells.ts'

/**
 * Files of one kind, and places of a file in which a byte is flipped, from all over it. A cell takes about 3 s of a
 * processor.
 */
const FILES = Number(process.env.RINGBOOK_DAMAGE_FILES ?? 1)
const FLIPS = Number(process.env.RINGBOOK_DAMAGE_FLIPS ?? 2)
const MINUTES = 60_000
const WAY_OUT = /\b(Put|put|Restore|restore|Remove|remove|removed|salvage|use another)\b/

let root = ''
let full: FullFolder
let other: FullFolder
let sitters: Sitters
let whole: Portrait

beforeAll(async () => {
  root = makeQuickFolder('ringbook-damage-')
  const folders = ['full', 'other', 'cells'].map((name) => path.join(root, name))
  for (const folder of folders) fs.mkdirSync(folder)
  const made = await Promise.all([makeFullFolder(folders[0]!), makeFullFolder(folders[1]!)])
  full = made[0]
  other = made[1]
  const symbols = [...new Set(full.acknowledged.map(({ symbol }) => symbol))]
  sitters = { keys: full.keys, symbols, untilMs: Date.now() }
  const untouched = { file: '', damage: { name: 'none', strike: () => {} } }
  const [outcome] = await runCells([untouched], full, sitters, folders[2]!)
  const { verified, started } = outcome!
  expect(verified).toEqual({ step: 'verified', findings: [], notes: [] })
  whole = answersOf(started)
}, 30 * MINUTES)
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

const answersOf = (started: CellReport | string): Portrait => {
  if (typeof started !== 'string' && started.step === 'answered') return started.portrait
  throw new Error(`the undamaged folder is not served: ${JSON.stringify(started)}`)
}

test('the undamaged folder has all that was acknowledged', () => {
  const lost = full.acknowledged.filter((order) => !isAnswered(order))
  expect(full.acknowledged.length).toBeGreaterThan(100)
  expect(lost).toEqual([])
})

function isAnswered({ account, symbol, orderId, status, executedQty, trades }: Acknowledged) {
  const of = `${symbol} of ${account}`
  const orders = JSON.parse(whole[`orders ${of}`]!) as readonly Acknowledged[]
  const fills = JSON.parse(whole[`trades ${of}`]!) as readonly { id: number }[]
  const found = orders.find((it) => it.orderId === orderId)
  const hasTrades = trades.every((trade) => fills.some(({ id }) => id === trade))
  return found?.status === status && found.executedQty === executedQty && hasTrades
}

test('the table has each file that a full exchange leaves, and the page of what fails each row', () => {
  expect(filesIn(full.data).filter((file) => kindOf(file) === undefined)).toEqual([])
  const seen = new Set(filesIn(full.data).map((file) => kindOf(file)!.row))
  expect(kinds.map(({ row }) => row).filter((row) => !seen.has(row))).toEqual([])
  const page = fs.readFileSync('docs/what-fails-alone.md', 'utf8')
  expect(kinds.map(({ row }) => row).filter((row) => !page.includes(`\n| ${row} | `))).toEqual([])
})

describe('each cell', () => {
  const struck = kinds.filter(({ isCopy }) => isCopy !== true)
  test.each(struck)(
    '$row',
    async (kind) => {
      const files = some(
        filesIn(full.data).filter((file) => kindOf(file) === kind),
        FILES,
      )
      const cells = files.flatMap((file) =>
        damagesOf(file, full, other, FLIPS).map((damage) => ({ file, damage })),
      )
      const outcomes = await runCells(cells, full, sitters, path.join(root, 'cells'))
      expect(outcomes.length).toBeGreaterThan(2)
      expect(outcomes.flatMap((outcome) => faultOf(outcome, kind))).toEqual([])
    },
    30 * MINUTES,
  )
})

/** Returns what must not be of a cell. */
function faultOf(
  { file, damage, verified, started, starts }: CellOutcome,
  kind: FileKind,
): string[] {
  const fault = (what: string) => [`${file} ${damage.name}: ${what}`]
  if (typeof verified === 'string') return fault(`verify-journal ${verified}`)
  if (verified.step !== 'verified') return fault(`verify-journal: ${JSON.stringify(verified)}`)
  if (typeof started === 'string') return fault(`the start ${started}`)
  const isFound = verified.findings.length + verified.notes.length > 0
  if (started.step === 'refused') {
    const { sentence } = started
    if (!kind.named.test(sentence)) return fault(`the refusal does not name it: ${sentence}`)
    if (!WAY_OUT.test(sentence)) return fault(`the refusal has no way out: ${sentence}`)
    return isFound ? [] : fault(`verify-journal finds nothing, and a start: ${sentence}`)
  }
  if (started.step !== 'answered') return fault('no answer')
  const [lost] = differences(whole, started.portrait)
  if (lost !== undefined) {
    const { log } = started
    return fault(`${lost}: ${started.portrait[lost]?.slice(0, 200)} ${log.join(' ')}`)
  }
  if (kind.isCold && !isFound) return fault('verify-journal finds nothing')
  const isSaid = started.log.length > 0 || kind.isSilent === true || starts > 1 || isUnread(file)
  return isFound && !isSaid ? fault('what is made again is not in the log') : []
}

/** A start reads the newest snapshot only, if that is whole. */
const isUnread = (file: string): boolean =>
  kindOf(file)!.row === 'snapshot' &&
  filesIn(full.data).some((it) => it > file && kindOf(it) === kindOf(file))

describe('a copy', () => {
  const strikes = {
    removed: (file: string) => fs.rmSync(file),
    emptied: (file: string) => fs.truncateSync(file),
    flipped: (file: string) => {
      const bytes = fs.readFileSync(file)
      bytes[bytes.length >> 1]! ^= 0x55
      fs.writeFileSync(file, bytes)
    },
  }
  const copies = { backup: () => full.backup, 'saved state': () => savedIn(full.data) }
  test.each(Object.keys(copies) as (keyof typeof copies)[])(
    'a %s with any file damaged is found, and nothing is made of it',
    async (name) => {
      const source = copies[name]()
      const runner = new CellRunner()
      const faults: string[] = []
      try {
        const undamaged = await verifiedBy(runner, source)
        expect(undamaged).toEqual([])
        for (const file of filesIn(source).filter((it) => !/(lock\.mdb|probe)$/.test(it))) {
          for (const [what, strike] of Object.entries(strikes)) {
            const copy = copyOf(source, path.join(root, 'cells', 'copy'))
            strike(path.join(copy, file))
            const found = await verifiedBy(runner, copy)
            // Without its manifest a copy is a folder like others, and whole.
            const isBare = file === MANIFEST && what === 'removed'
            if (found.length === 0 && !isBare)
              faults.push(`${file} ${what}: verify-journal finds nothing`)
            const restored = path.join(root, 'cells', 'restored')
            try {
              restoreBackup(copy, restored)
              faults.push(`${file} ${what}: is restored`)
            } catch (error) {
              if (!(error as Error).message.includes(copy)) faults.push(`${file} ${what}: ${error}`)
            }
            for (const folder of [copy, restored])
              fs.rmSync(folder, { recursive: true, force: true })
          }
        }
      } finally {
        runner.close()
      }
      expect(faults).toEqual([])
    },
    10 * MINUTES,
  )
})

const savedIn = (data: string): string => path.join(data, 'states', 'saved')

async function verifiedBy(runner: CellRunner, folder: string): Promise<readonly string[]> {
  const report = await runner.run({ ...sitters, folder, step: 'verify' })
  if (typeof report === 'string') throw new Error(`verify-journal ${report}`)
  if (report.step === 'verified') return report.findings
  return report.step === 'refused' ? [report.sentence] : []
}
