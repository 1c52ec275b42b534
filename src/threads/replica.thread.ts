/**
 * The replica thread: takes the lead of the quorum and makes the data folder equal to it, before any other
 * thread opens the folder. Then it brings to the quorum what matchers and the main thread offer, and
 * beats. While the quorum does not answer it tries again and again; those that offered give up.
 */
import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { BlockReader } from '../journal/block.ts'
import { ControlStore } from '../journal/control-store.ts'
import type { Fact } from '../operator/facts.ts'
import { factBlocks } from '../replica/control-facts.ts'
import { BEAT_MS, type Joined, join } from '../replica/join.ts'
import { quorumBlock } from '../replica/local-journals.ts'
import { PostgresQuorum } from '../replica/postgres-quorum.ts'
import { PostgresReader } from '../replica/postgres-reader.ts'
import { CONTROL_JOURNAL, OutcomeUnknown, type Quorum, QuorumRefusal } from '../replica/quorum.ts'
import { type ReplicaSource, Replicator } from '../replica/replicator.ts'
import { ReplicaSlot } from '../replica/slots.ts'
import { Doorbell } from '../ring/doorbell.ts'
import { catchUpInTime, LiveFollower } from './follow-quorum.ts'
import type { ReplicaMemory } from './replica-link.ts'
import { startedWith } from './start-gate.ts'
import type { Delivery, ReplicaStart, ThreadOrder, ThreadReport } from './thread-messages.ts'

/** Between two tries to reach the quorum. */
const PAUSE_MS = 100
/** Blocks that follow one another within this time carry the watermark. */
const MARK_PAUSE_MS = 2
/** The longest wait for one answer, as a share of the time that orders wait. */
const ANSWER_SHARE = 0.2

const { port, start } = startedWith<ReplicaStart>()
const report = (message: ThreadReport) => port.postMessage(message)
run(start).catch((error: Error) => {
  const { name, message, stack } = error
  report({ report: 'failed', name, message, stack })
})

async function run({ config, memory }: ReplicaStart): Promise<void> {
  if (config.follow !== '') await follow(config)
  else if (memory !== undefined) await lead({ config, memory })
  report({ report: 'stopped' })
  port.close()
}

/** Follows until it is told to stop. */
async function follow(config: Config): Promise<void> {
  const patienceMs = config.replicaSeconds * 1_000
  const reader = new PostgresReader({ url: config.follow, answerMs: patienceMs * ANSWER_SHARE })
  let isStopping = false
  let bell: Doorbell | undefined
  const delivery = new Promise<Delivery | undefined>((resolve) => {
    port.on('message', (message: ThreadOrder) => {
      if (message.order === 'deliver') resolve(message.delivery)
      if (message.order !== 'stop') return
      isStopping = true
      resolve(undefined)
      bell?.ring()
    })
  })
  const options = { dataFolder: config.data, reader, isStopping: () => isStopping, report }
  const caught = await catchUpInTime(options, patienceMs)
  if (caught !== undefined) {
    const { cursor, loaded } = caught
    const fields = { sequence: cursor, loaded }
    report({ report: 'log', level: 'info', fields, message: 'follows the quorum' })
    report({ report: 'follows' })
    const all = await delivery
    if (all !== undefined) {
      bell = new Doorbell(all.memory.bell)
      await new LiveFollower(options, caught, all).run()
    }
  }
  await reader.close()
}

interface LeadStart extends ReplicaStart {
  readonly memory: ReplicaMemory
}

async function lead(start: LeadStart): Promise<void> {
  const { config, memory } = start
  const answerMs = config.replicaSeconds * 1_000 * ANSWER_SHARE
  const quorum = new PostgresQuorum({ url: config.replica, answerMs })
  const phase = { isStopping: false }
  const bell = new Doorbell(memory.bell)
  port.on('message', ({ order }: ThreadOrder) => {
    phase.isStopping ||= order === 'stop'
    bell.ring()
  })
  const joined = await joinInTime(quorum, start)
  const { epoch, ends, watermark, loaded, sent, succeeded } = joined
  const fields = { epoch, loaded, sent, ...(succeeded !== undefined && { succeeded }) }
  report({ report: 'log', level: 'info', fields, message: 'leads the quorum' })
  report({ report: 'leads', epoch })
  const sources = sourcesOf(start, ends)
  const replicator = new Replicator({ quorum, epoch, sources, ends, watermark })
  const hasWork = () => phase.isStopping || sources.some((source) => source.hasOffer())
  await work(replicator, { bell, phase, hasWork })
  // Followers have all that clients were told. If the quorum does not answer, the next leader marks it.
  await replicator.mark().catch(() => {})
  await quorum.close()
}

/** Tries until --replica-seconds have passed. */
async function joinInTime(quorum: Quorum, { config }: ReplicaStart): Promise<Joined> {
  const lastEpoch = lastEpochIn(config.data)
  const address = addressOf(config)
  const deadlineMs = performance.now() + config.replicaSeconds * 1_000
  for (;;) {
    try {
      return await join({ dataFolder: config.data, quorum, lastEpoch, address, sleep })
    } catch (error) {
      if (!(error instanceof OutcomeUnknown)) throw error
      if (performance.now() > deadlineMs) {
        throw new QuorumRefusal(`The quorum (--replica) does not answer: ${error.message}.`)
      }
      await sleep(PAUSE_MS)
    }
  }
}

/** Returns what clients use to reach this member. */
function addressOf({ advertise, host, port, tlsCert }: Config): string {
  if (advertise !== '') return advertise
  const scheme = tlsCert === '' ? 'http' : 'https'
  const name = host === '0.0.0.0' || host === '::' ? os.hostname() : host
  return `${scheme}://${name.includes(':') ? `[${name}]` : name}:${port}`
}

function lastEpochIn(dataFolder: string): number {
  const control = ControlStore.open(dataFolder)
  try {
    const facts = [...control.entries()] as Fact[]
    return Math.max(0, ...facts.map((fact) => (fact.fact === 'start' ? fact.epoch : 0)))
  } finally {
    control.close()
  }
}

interface Work {
  readonly bell: Doorbell
  readonly phase: { readonly isStopping: boolean }
  readonly hasWork: () => boolean
}

async function work(replicator: Replicator, { bell, phase, hasWork }: Work): Promise<void> {
  let beatMs = 0
  let lostMs = 0
  while (!phase.isStopping) {
    try {
      let isIdle = (await replicator.send()) === 0
      if (performance.now() - beatMs >= BEAT_MS) {
        await replicator.beat()
        beatMs = performance.now()
        isIdle = false
      }
      if (lostMs > 0) reportFound(performance.now() - lostMs)
      lostMs = 0
      if (!isIdle) continue
      if (replicator.isMarked) await bell.sleepAsync(hasWork, BEAT_MS)
      else {
        await bell.sleepAsync(hasWork, MARK_PAUSE_MS)
        if (!hasWork()) await replicator.mark()
      }
    } catch (error) {
      if (!(error instanceof OutcomeUnknown)) throw error
      if (lostMs === 0) reportLost(error)
      lostMs ||= performance.now()
      await sleep(PAUSE_MS)
    }
  }
}

function reportLost({ message: reason }: Error): void {
  const message = 'lost the quorum; orders wait'
  report({ report: 'log', level: 'warn', fields: { reason }, message })
}

function reportFound(ms: number): void {
  const message = 'the quorum answers again'
  report({ report: 'log', level: 'info', fields: { lostMs: Math.round(ms) }, message })
}

interface SlotSource extends ReplicaSource {
  hasOffer(): boolean
}

/** The journals of the matchers, and the control journal. */
function sourcesOf({ memory }: LeadStart, ends: Joined['ends']): readonly SlotSource[] {
  const slotOf = (memory: SharedArrayBuffer, journal: number) => {
    const slot = new ReplicaSlot(memory)
    slot.acknowledge(ends.get(journal)?.position ?? 0)
    return {
      slot,
      journal,
      hasOffer: () => slot.take() !== undefined,
      acknowledge: (position: number) => slot.acknowledge(position),
    }
  }
  const { slot: control, ...controlSource } = slotOf(memory.control, CONTROL_JOURNAL)
  const matchers = memory.blocks.map((memory, matcher) => {
    const { slot, ...source } = slotOf(memory, matcher)
    const reader = new BlockReader()
    return {
      ...source,
      offered: () => {
        const offer = slot.take()
        if (offer === undefined) return []
        reader.open(offer.bytes, `Block ${offer.last} of journal-${matcher}`)
        return [quorumBlock(reader, offer.bytes)]
      },
    }
  })
  const offered: ReplicaSource['offered'] = (end) => {
    const offer = control.take()
    return offer === undefined ? [] : factBlocks(offer.bytes, end)
  }
  return [{ ...controlSource, offered }, ...matchers]
}
