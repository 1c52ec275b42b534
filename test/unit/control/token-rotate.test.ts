/** A new token beside the one before: how long both are good, what a start finds, and who did it. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import { Prng } from '../../../src/base/prng.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import { Ms } from '../../../src/base/units.ts'
import { CommandExecutor } from '../../../src/control/command-executor.ts'
import { EARLIER_TOKENS_MAX } from '../../../src/control/operators.ts'
import { Registry } from '../../../src/control/registry.ts'
import { OwnerToken, readToken } from '../../../src/control/token.ts'
import { Vault } from '../../../src/control/vault.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'
import { FaultyDisk } from '../../sim/exchange/faulty-disk.ts'
import { ActionBench } from './plain-control-plane.ts'

const MINUTE_MS = 60_000
const EARLIER_FILE = 'operator-token-earlier'

let nowMs = 0
const clock = { nowMs: () => Ms(nowMs) }
const time = Object.assign(new RealTime(), clock)
const folder = folderPerTest()
beforeEach(() => {
  nowMs = 1_000
})

describe('the token of the data folder', () => {
  const accepts = (owner: OwnerToken, token: string) => owner.accepts(`Bearer ${token}`)

  test('is another one in its file; the one before is good until the end of its time', () => {
    const owner = new OwnerToken(folder(), clock)
    const before = readToken(folder())
    owner.rotate(nowMs + 10)
    const after = readToken(folder())
    expect(after).toMatch(/^[0-9a-f]{64}$/)
    expect(after).not.toBe(before)
    expect(statSync(folder(EARLIER_FILE)).mode & 0o777).toBe(0o600)
    expect(readFileSync(folder(EARLIER_FILE), 'utf8')).not.toContain(before)
    nowMs += 9
    for (const token of [before, after]) expect(accepts(owner, token)).toBe(true)
    nowMs += 1
    expect([accepts(owner, before), accepts(owner, after)]).toEqual([false, true])
    expect(owner.earlierTokens()).toEqual([])
  })

  test('is the same after a start, with the one before and what is left of its time', () => {
    const before = new OwnerToken(folder(), clock) && readToken(folder())
    new OwnerToken(folder(), clock).rotate(nowMs + 10)
    nowMs += 9
    const again = new OwnerToken(folder(), clock)
    expect([accepts(again, before), accepts(again, readToken(folder()))]).toEqual([true, true])
    nowMs += 1
    expect(accepts(again, before)).toBe(false)
    expect(accepts(new OwnerToken(folder(), clock), before)).toBe(false)
    expect(accepts(again, 'x')).toBe(false)
  })

  test('ends all earlier ones when it is replaced at once', () => {
    const owner = new OwnerToken(folder(), clock)
    const tokens = [readToken(folder())]
    owner.rotate(nowMs + 10)
    tokens.push(readToken(folder()))
    owner.rotate(nowMs)
    for (const token of tokens) {
      expect(accepts(owner, token)).toBe(false)
      expect(accepts(new OwnerToken(folder(), clock), token)).toBe(false)
    }
    expect(accepts(owner, readToken(folder()))).toBe(true)
  })

  test.each([
    'null',
    '{}',
    '[null, 1, {"tokenHash": 1}]',
    'x',
    '',
  ])('goes without earlier ones where their file has %s', (text) => {
    const owner = new OwnerToken(folder(), clock)
    writeFileSync(folder(EARLIER_FILE), text)
    expect(new OwnerToken(folder(), clock).earlierTokens()).toEqual([])
    owner.rotate(nowMs + 10)
    expect(new OwnerToken(folder(), clock).earlierTokens()).toHaveLength(1)
  })

  const OPERATIONS = 16
  test.each(
    (['kill', 'refuse write', 'refuse flush'] as const).flatMap((fault) =>
      Array.from({ length: OPERATIONS }, (_, at) => [fault, at + 1] as const),
    ),
  )('is never lost: %s at operation %i of the replacing', (fault, operation) => {
    const owner = new OwnerToken(folder(), clock)
    const before = readToken(folder())
    const disk = new FaultyDisk(new Prng(operation), () => {})
    disk.folder = folder()
    disk.arm(fault, operation)
    let isDone = false
    try {
      disk.around(() => owner.rotate(nowMs + 10))
      isDone = !disk.isDying
    } catch {
      expect(disk.isDying || fault !== 'kill').toBe(true)
    }
    const shown = isDone ? readToken(folder()) : ''
    disk.disarm()
    if (!disk.isDying) {
      for (const token of [before, readToken(folder())]) expect(accepts(owner, token)).toBe(true)
    }
    disk.bury(() => {})
    const again = new OwnerToken(folder(), clock)
    expect(accepts(again, before)).toBe(true)
    expect(accepts(again, readToken(folder()))).toBe(true)
    if (isDone) expect(readToken(folder())).toBe(shown)
  })
})

describe('the action', () => {
  let bench: ActionBench
  beforeEach(async () => {
    bench = await ActionBench.make(time)
  })
  const roleOf = (token: string, executor = bench.executor) => executor.operatorOf(token)?.role
  const tokenBy = async (line: string): Promise<string> =>
    String((await bench.ask(line)).rows[0]!.token)

  test('gives an operator another token; the one before has the same role until its end', async () => {
    const before = await tokenBy('operator-add carol support')
    const { said, rows } = await bench.ask('token-rotate carol --minutes 5')
    const after = String(rows[0]!.token)
    expect(said).toContain('The one before is good until 1970-01-01T00:05:01.000Z.')
    expect(after).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.stringify(bench.controlPlane.journaled)).not.toContain(after)
    expect([roleOf(before), roleOf(after)]).toEqual(['support', 'support'])
    expect((await bench.ask('operators')).rows).toContainEqual({
      operator: 'carol',
      role: 'support',
      earlierTokensUntil: '1970-01-01T00:05:01.000Z',
    })
    nowMs += 5 * MINUTE_MS - 1
    expect(roleOf(before)).toBe('support')
    nowMs += 1
    expect([roleOf(before), roleOf(after)]).toEqual([undefined, 'support'])
    expect((await bench.ask('operators')).rows.at(-1)).toMatchObject({ earlierTokensUntil: '' })
  })

  test('leaves both good after a start in the middle, for what is left', async () => {
    const before = await tokenBy('operator-add carol support')
    const after = await tokenBy('token-rotate carol --minutes 5')
    nowMs += 3 * MINUTE_MS
    const again = new Registry()
    for (const fact of bench.controlPlane.texts) again.apply(JSON.parse(fact))
    const vault = new Vault(Buffer.alloc(32, 1))
    const executor = new CommandExecutor(again, vault, bench.controlPlane, time)
    expect([roleOf(before, executor), roleOf(after, executor)]).toEqual(['support', 'support'])
    nowMs += 2 * MINUTE_MS
    expect([roleOf(before, executor), roleOf(after, executor)]).toEqual([undefined, 'support'])
  })

  test('keeps each promise of many, up to a bound; without minutes they end', async () => {
    const tokens = [await tokenBy('operator-add carol watch')]
    for (let i = 1; i <= EARLIER_TOKENS_MAX; i++) {
      tokens.push(await tokenBy(`token-rotate carol --minutes ${i}`))
    }
    expect(tokens.map((token) => roleOf(token))).toEqual(tokens.map(() => 'watch'))
    const journaled = bench.controlPlane.journaled.length
    await expect(bench.ask('token-rotate carol')).rejects.toThrow(
      '4 earlier tokens of carol are good, the first until 1970-01-01T00:01:01.000Z. --minutes 0 ends them all.',
    )
    expect(bench.controlPlane.journaled).toHaveLength(journaled)
    nowMs += MINUTE_MS
    tokens.push(await tokenBy('token-rotate carol'))
    expect(tokens.map((token) => roleOf(token) !== undefined)).toEqual([
      ...[false, true, true, true, true, true],
    ])
    tokens.push(await tokenBy('token-rotate carol --minutes 0'))
    expect(tokens.filter((token) => roleOf(token) !== undefined)).toEqual([tokens.at(-1)])
  })

  test('is refused outside its bounds, and for an operator that there is not', async () => {
    await bench.ask('operator-add carol watch')
    for (const minutes of ['-1', '10081', '1.5', 'x']) {
      await expect(bench.ask(`token-rotate carol --minutes ${minutes}`)).rejects.toThrow(
        'minutes must be a whole number from 0 to 10080.',
      )
    }
    await expect(bench.ask('token-rotate dora')).rejects.toThrow('There is no operator dora.')
    await bench.ask('token-rotate carol --minutes 10080')
  })

  test('ends with its operator, earlier tokens too', async () => {
    const before = await tokenBy('operator-add carol admin')
    const after = await tokenBy('token-rotate carol')
    await bench.ask('operator-remove carol')
    expect([roleOf(before), roleOf(after)]).toEqual([undefined, undefined])
    await bench.ask('operator-add carol watch')
    expect(roleOf(before)).toBeUndefined()
  })

  test('replaces the token of the folder, shows it to nobody, and is logged by who did it', async () => {
    const admin = { name: 'carol', role: 'admin' } as const
    const { said, rows } = await bench.executor.act('token-rotate', {}, admin)
    expect(said).toBe(
      'The file operator-token of the data folder has the new token. The one before is good until 1970-01-01T01:00:01.000Z.',
    )
    expect(rows).toEqual([])
    expect(bench.controlPlane.done).toEqual(['rotate'])
    expect((await bench.ask('log --limit 1')).rows).toMatchObject([
      { operator: 'carol', action: 'token-rotate' },
    ])
    expect(await bench.executor.preview('token-rotate', { minutes: 0 }, admin)).toMatchObject({
      does: 'Make a new token for owner',
      note: 'All earlier ones end at once.',
    })
  })

  test('says so when the file cannot be written: the token stays', async () => {
    bench.controlPlane.view.ownerToken.rotate = () => {
      throw Object.assign(new Error('no room'), { code: 'ENOSPC' })
    }
    await expect(bench.ask('token-rotate')).rejects.toThrow(
      'The token in operator-token, new or not, is in force: ',
    )
  })
})
