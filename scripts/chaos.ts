/**
 * `npm run chaos -- --kills 200 [--seed N] [--durability flushed]`: kills an exchange of two matchers
 * and two gateways that often by SIGKILL, under load, around snapshots and while it starts, and
 * compares all that clients were told with what is recovered (chaos/chaos.ts). At the end the journals
 * are verified. With `--replicated` a leader, two followers and three servers of PostgreSQL fail instead,
 * one part after another (chaos/replicated-chaos.ts). Exit code 1 when anything was lost; then the data
 * folders and the clients' log stay.
 */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { Chaos, type ChaosReport } from './chaos/chaos.ts'
import { startMembers } from './chaos/members.ts'
import { type ReplicaFault, replicaFaults } from './chaos/replica-faults.ts'
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
      about: `Of --replicated, with commas, in turn: ${replicaFaults.join(', ')}; all when left out`,
    },
  },
} as const

async function runAlone(trial: Trial, kills: number, durability: string): Promise<Outcome> {
  trial.begin(`${kills} kills, ${durability}`)
  const exchange = await ExchangeProcess.prepare(['--durability', durability])
  const chaos = new Chaos({
    ...{ exchange, kills, seed: trial.seed, answersMax: ANSWERS_MAX },
    logFile: path.join(trial.folder, LOG),
    killed: trial.progress('kills', kills),
  })
  const { findings, ...report } = await chaos.run().finally(() => exchange.stop('SIGKILL'))
  const faults = verify(exchange.data)
  return {
    lines: linesOf(report, findings),
    findings: [...findings, ...faults],
    figures: report,
    folders: [exchange.data],
  }
}

const planOf = (names: string | undefined): readonly ReplicaFault[] | undefined =>
  names?.split(',').map((name) => oneOf('faults', name, replicaFaults))

async function runReplicated(
  trial: Trial,
  kills: number,
  plan: readonly ReplicaFault[] | undefined,
): Promise<Outcome> {
  const { members, servers } = await startMembers()
  trial.begin(`${kills} kills, replicated; ${members.networks.kind}`)
  const chaos = new ReplicatedChaos({
    ...{ members, servers, kills, seed: trial.seed, answersMax: ANSWERS_MAX },
    logFile: path.join(trial.folder, LOG),
    struck: trial.progress('kills', kills),
    ...(plan !== undefined && { plan }),
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
  }
}

/** Returns what is wrong with the journals of a data folder. */
function verify(data: string): readonly string[] {
  const script = path.join(import.meta.dirname, 'verify-journal.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--data', data])
  process.stdout.write(stdout)
  return status === 0 ? [] : [String(stderr).trim()]
}

type Findings = readonly string[]

function linesOf(report: Omit<ChaosReport, 'findings'>, findings: Findings): string[] {
  const { kills, snapshotsBegunFrom } = report
  return [
    `kills: ${kills.load} under load, ${kills.snapshot} around a snapshot, ${kills.start} while starting`,
    `starts that continued from a snapshot: ${snapshotsBegunFrom}`,
    ...comparedLines(report, findings),
  ]
}

function linesOfReplicated(
  report: Omit<ReplicatedReport, 'findings'>,
  findings: Findings,
): string[] {
  const { kills, successions, trimmed, formers, seeds, outages } = report
  return [
    `kills: ${kills.leader} of the leader, ${kills.follower} of a follower, ` +
      `${kills.primary} of PostgreSQL's primary, ${kills.standby} of a standby, ` +
      `${kills.gone} of all its servers`,
    `the leader stood still: ${kills.stop}, was cut off: ${kills.cut}, had a full disk: ${kills.full}`,
    `blocks trimmed from the quorum: ${trimmed}; ${kills.trim} times beside a stopped member`,
    `followers seeded: ${seeds.key} into a folder with a key, ${seeds.mount} into a mount point`,
    `another member took the lead: ${successions}`,
    `answers of leaders that were overtaken: ${formers.answers}, of them definite ` +
      `${formers.definite}, contradicted ${formers.contradictions}`,
    `longest times without orders, in ms (slowed down by the machine): ${Object.entries(outages)
      .map(([fault, { ms, slowdown }]) => `${fault} ${Math.round(ms)} (${slowdown.toFixed(1)})`)
      .join(', ')}`,
    ...comparedLines(report, findings),
  ]
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
  if (values.replicated !== undefined) return runReplicated(trial, kills, planOf(values.faults))
  return runAlone(trial, kills, durabilityOf(values.durability))
})
