/** A matcher as a worker: its release, operators' messages, holds for a backup, and its end. */
import { mkdirSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AgentInvoker } from '../../../src/agents/agent-driver.ts'
import { MatchingAgent } from '../../../src/agents/matching-agent.ts'
import { Phase, type Regions, reserve } from '../../../src/agents/memory.ts'
import type { ThreadReport, ThreadStart } from '../../../src/agents/messages.ts'
import { ManualClock, ManualTime } from '../../../src/base/manual-time.ts'
import { Ms } from '../../../src/base/units.ts'
import { parseConfig } from '../../../src/config/config.ts'
import { plainExchange } from '../../../src/market/listing.ts'
import { type ControlMessage, Pause } from '../../../src/shared/control-message.ts'
import { readCounters } from '../../../src/shared/counters.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const PAUSE_MS = 50

const folder = folderPerTest()
let regions: Regions
let reports: ThreadReport['report'][]
let time: ManualTime
let agent: MatchingAgent
let invoker: AgentInvoker

beforeEach(() => {
  mkdirSync(folder('journal-0'), { recursive: true })
  const flags = ['--accounts', '8', '--data', folder(), '--matchers', '1', '--gateways', '1']
  const config = parseConfig(flags, {}, () => '').config!
  regions = reserve(config, [])
  reports = []
  time = new ManualTime(new ManualClock(Ms(0)))
  const start: ThreadStart = {
    index: 0,
    config,
    regions,
    epoch: 1,
    idSalt: 1,
    assets: [],
    symbols: [],
    matcherOf: [],
    groups: [],
    accounts: [],
    exchange: plainExchange,
    chains: [],
    networks: [],
    valuationAsset: undefined,
    klines: [],
    retention: {} as never,
    follows: false,
    snapshot: 0,
  }
  const report = ({ report }: ThreadReport) => void reports.push(report)
  agent = new MatchingAgent(start, { time, report, checkpoint: () => {} })
  invoker = new AgentInvoker(agent)
})
afterEach(() => invoker.close())

function enter(phase: number): void {
  Atomics.store(new Int32Array(regions.phase), 0, phase)
}

/** Recovers, and is released. */
function begin(): void {
  invoker.start()
  enter(Phase.RECOVERED)
  invoker.invoke()
}

/** Holds the matcher. Returns the cell. */
function hold(): Int32Array {
  const cell = new SharedArrayBuffer(4)
  const messages: readonly ControlMessage[] = [{ kind: 'pause', cell, msMax: PAUSE_MS }]
  agent.take({ order: 'control', number: 1, messages })
  return new Int32Array(cell)
}

test('it does nothing before its release, and is ready then', () => {
  invoker.start()
  expect([reports, invoker.invoke(), agent.hasWork()]).toEqual([['recovered'], 0, false])
  enter(Phase.RECOVERED)
  expect(agent.hasWork()).toBe(true)
  invoker.invoke()
  expect([reports, agent.hasWork()]).toEqual([['recovered', 'ready'], false])
})

test('a start that ends before its release closes it', () => {
  invoker.start()
  enter(Phase.ENDING)
  invoker.invoke()
  expect([reports, invoker.isClosed]).toEqual([['recovered', 'stopped'], true])
})

test('a message waits for the next cycle', () => {
  begin()
  agent.take({ order: 'control', number: 1, messages: [] })
  expect([reports.includes('applied'), agent.hasWork()]).toEqual([false, true])
  invoker.invoke()
  expect([reports.at(-1), agent.hasWork()]).toEqual(['applied', false])
})

test('a matcher that is held does nothing until it is released', () => {
  begin()
  const cell = hold()
  invoker.invoke()
  // What is announced meanwhile waits.
  agent.take({ order: 'control', number: 2, messages: [] })
  expect([invoker.invoke(), agent.hasWork(), agent.idleMsMax]).toEqual([0, false, PAUSE_MS])
  expect(reports.filter((it) => it === 'applied')).toHaveLength(1)
  cell[0] = Pause.RESUMED
  expect(agent.hasWork()).toBe(true)
  invoker.invoke()
  expect([cell[0], reports.filter((it) => it === 'applied').length]).toEqual([Pause.RESUMED, 2])
})

test('one that is not released in time continues, and the cell says so', () => {
  begin()
  const cell = hold()
  invoker.invoke()
  time.advance(PAUSE_MS)
  expect(agent.hasWork()).toBe(true)
  invoker.invoke()
  expect([cell[0], agent.idleMsMax]).toEqual([Pause.GIVEN_UP, Number.POSITIVE_INFINITY])
  const counters = readCounters(regions.counters, 1, 1)
  expect(counters.find(({ name }) => name === 'pausedNsMax')?.value).toBe(PAUSE_MS * 1e6)
})

test.each([Phase.STOPPING, Phase.ENDING])('phase %i ends it, held or not', (phase) => {
  begin()
  hold()
  invoker.invoke()
  enter(phase)
  expect(agent.hasWork()).toBe(true)
  invoker.invoke()
  expect([invoker.isClosed, reports.at(-1)]).toEqual([true, 'stopped'])
})
