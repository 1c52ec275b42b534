/**
 * `npm run chaos -- --kills 200 [--seed N] [--durability flushed] [--faults kill,backup]`: ends an exchange of
 * two matchers and two gateways that often, under load, by SIGKILL or by its disk, and compares all that
 * clients received with what is recovered (chaos/chaos.ts). At the end the journals are verified. With `--replicated` a leader, two followers and three servers of PostgreSQL fail instead,
 * one part after another (chaos/replicated-chaos.ts). Exit code 1 when anything was lost; then the data
 * folders and the clients' log stay.
 */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { Chaos, type ChaosReport, FAULT_FLAGS, faults } from './chaos/chaos.ts'
import { startMembers } from './chaos/members.ts'
import { replicaFaults } from './chaos/replica-faults.ts'
import { ReplicatedChaos, type ReplicatedReport } from './chaos/replicated-chaos.ts'
import { oneOf, wholeNumber } from './command-line/tool.ts'
import {
  DURABILITY_FLAG,
  durabilityOf,
  type Outcome,
  runTrial,
  SEED_FLAG,
  type Trial,
} from './command-line/trial.ts'
import { ExchangeClock } from './exchange/exchange-clock.ts'
import { ExchangeProcess } from './exchange/exchange-process.ts'

const ANSWERS_MAX = 500
const LOG = 'clients.jsonl'

const tool = {
  name: 'chaos',
  about:
    'Kills an exchange under load, and compares what clients were told with what is recovered.',
  flags: {
    kills: { value: 'N', about: 'How often', default: '20' },
    seed: SEED_FLAG,
    durability: DURABILITY_FLAG,
    replicated: {
      about: 'A leader, two followers and three servers of PostgreSQL fail, part by part',
    },
    faults: {
      value: 'NAMES',
      about:
        `With commas, in turn; all when left out. ${faults.join(', ')}. ` +
        `With --replicated: ${replicaFaults.join(', ')}`,
    },
  },
} as const

async function runAlone(
  trial: Trial,
  kills: number,
  names: string | undefined,
  durability: string,
): Promise<Outcome> {
  trial.begin(`${kills} kills, ${durability}`)
  const clock = new ExchangeClock('runs')
  const exchange = await ExchangeProcess.prepare(
    [...FAULT_FLAGS, '--durability', durability],
    clock,
  )
  const chaos = new Chaos({
    exchange,
    clock,
    kills,
    seed: trial.seed,
    answersMax: ANSWERS_MAX,
    verify,
    logFile: path.join(trial.folder, LOG),
    struck: trial.progress('kills', kills),
    ...planOf(names, faults),
  })
  const { findings, ...report } = await chaos.run().finally(async () => {
    await exchange.stop('SIGKILL')
    clock.remove()
  })
  const wrong = verify(exchange.data)
  return {
    lines: linesOf(report, findings),
    findings: [...findings, ...wrong],
    figures: report,
    folders: [exchange.data],
  }
}

const planOf = <F extends string>(names: string | undefined, all: readonly F[]) =>
  names === undefined ? {} : { plan: names.split(',').map((name) => oneOf('faults', name, all)) }

async function runReplicated(
  trial: Trial,
  kills: number,
  names: string | undefined,
): Promise<Outcome> {
  const { members, servers } = await startMembers()
  trial.begin(`${kills} kills, replicated; ${members.networks.kind}`)
  const chaos = new ReplicatedChaos({
    members,
    servers,
    kills,
    seed: trial.seed,
    answersMax: ANSWERS_MAX,
    logFile: path.join(trial.folder, LOG),
    struck: trial.progress('kills', kills),
    ...planOf(names, replicaFaults),
  })
  const { findings, ...report } = await chaos.run().finally(async () => {
    await members.kill()
    await servers.remove()
  })
  if (findings.length === 0) await members.remove()
  return {
    lines: linesOfReplicated(report, findings),
    findings,
    figures: report,
    folders: members.all.map(({ exchange }) => exchange.data),
    isWell: findings.length === 0 && report.late.length === 0,
  }
}

/** Returns what is wrong with a data folder, or a backup. */
function verify(data: string): readonly string[] {
  const script = path.join(import.meta.dirname, 'verify-journal.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--data', data])
  process.stdout.write(stdout)
  return status === 0 ? [] : [String(stderr).trim()]
}

type Findings = readonly string[]

function linesOf(report: Omit<ChaosReport, 'findings'>, findings: Findings): string[] {
  const { kills, snapshotsBegunFrom, copiesChecked, returned, pruned, actions } = report
  return [
    countsLine('kills', kills),
    `starts that continued from a snapshot: ${snapshotsBegunFrom}; copies checked: ${copiesChecked}; ` +
      `loads and resets that were done: ${returned}; kills after a removal of segments: ${pruned}`,
    `operator's actions compared: ${actions.answered}, sent again after a kill: ${actions.resolved}`,
    ...comparedLines(report, findings),
  ]
}

function linesOfReplicated(
  report: Omit<ReplicatedReport, 'findings'>,
  findings: Findings,
): string[] {
  const { kills, successions, trimmed, formers, seeds, outages, late, seen } = report
  return [
    countsLine('faults', kills),
    `blocks trimmed from the quorum: ${trimmed}; ${kills.trim} times beside a stopped member`,
    `followers seeded: ${seeds.key} into a folder with a key, ${seeds.mount} into a mount point`,
    `another member took the lead: ${successions}`,
    `answers of leaders that were overtaken: ${formers.answers}, of them definite ` +
      `${formers.definite}, contradicted ${formers.contradictions}`,
    `orders that followers showed meanwhile: ${seen}`,
    `longest times without orders, in ms, and their bounds: ${Object.entries(outages)
      .map(([fault, { ms, boundMs }]) => `${fault} ${Math.round(ms)} of ${boundMs ?? 'any'}`)
      .join(', ')}`,
    ...late,
    ...comparedLines(report, findings),
  ]
}

const countsLine = (name: string, counts: Readonly<Record<string, number>>): string => {
  const each = Object.entries(counts).filter(([, count]) => count > 0)
  return `${name}: ${each.map(([what, count]) => `${what} ${count}`).join(', ')}`
}

function comparedLines(
  { answers, resolved }: Pick<ChaosReport, 'answers' | 'resolved'>,
  findings: Findings,
): string[] {
  const { orders, cancels, fills, amendments, lists, refusals } = answers
  const { tookEffect, didNot } = resolved
  return [
    `answers compared: ${orders} orders, ${fills} fills, ${cancels} cancels, ${amendments} ` +
      `amendments, ${lists} lists, ${refusals} refusals`,
    `requests without an answer: ${tookEffect} had taken effect, ${didNot} had not`,
    `lost, undone or impossible: ${findings.length}`,
  ]
}

await runTrial(tool, (values, trial) => {
  const kills = wholeNumber('kills', values.kills)
  if (values.replicated !== undefined) return runReplicated(trial, kills, values.faults)
  return runAlone(trial, kills, values.faults, durabilityOf(values.durability))
})
