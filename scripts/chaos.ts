/**
 * `npm run chaos -- --kills 200 [--seed N] [--durability flushed]`: kills an exchange of two matchers
 * and two gateways that often by SIGKILL, under load, around snapshots and while it starts, and
 * compares all that clients were told with what is recovered (chaos/chaos.ts). At the end the journals
 * are verified. With `--replicated` a leader, two followers and three servers of PostgreSQL fail instead,
 * one part after another (chaos/replicated-chaos.ts). Exit code 1 when anything was lost; then the data
 * folders and the clients' log stay.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Chaos, type ChaosReport } from './chaos/chaos.ts'
import { startMembers } from './chaos/members.ts'
import { type ReplicaFault, replicaFaults } from './chaos/replica-faults.ts'
import { ReplicatedChaos, type ReplicatedReport } from './chaos/replicated-chaos.ts'
import { Progress } from './command-line/progress.ts'
import { oneOf, readFlags, runTool, wholeNumber } from './command-line/tool.ts'
import { ExchangeProcess } from './exchange/exchange-process.ts'

const FINDINGS_SHOWN = 20
const ANSWERS_MAX = 500
/** Seeds stay readable, and are others in every run. */
const SEEDS = 2 ** 31

const tool = {
  name: 'chaos',
  about:
    'Kills an exchange under load, and compares what clients were told with what is recovered.',
  flags: {
    kills: { value: 'N', about: 'How often', default: '20' },
    seed: { value: 'N', about: 'Of what happens; else one that is printed' },
    durability: { value: 'HOW', about: 'One of flushed, committed', default: 'flushed' },
    replicated: {
      about: 'A leader, two followers and three servers of PostgreSQL fail, part by part',
    },
    faults: {
      value: 'NAMES',
      about: `Of --replicated, with commas, in turn: ${replicaFaults.join(', ')}; all when left out`,
    },
  },
} as const

async function run(args: string[]): Promise<boolean> {
  const values = readFlags(tool, args)
  if (values === undefined) return true
  const kills = wholeNumber('kills', values.kills)
  const seed = wholeNumber('seed', values.seed ?? String((Date.now() % SEEDS) + 1))
  if (values.replicated !== undefined) return runReplicated(kills, seed, planOf(values.faults))
  const durability = oneOf('durability', values.durability, ['flushed', 'committed'])
  process.stdout.write(`seed ${seed}, ${kills} kills, ${durability}\n`)
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-chaos-'))
  const flags = ['--durability', durability]
  const exchange = await ExchangeProcess.prepare(flags)
  const progress = new Progress('kills', kills)
  const logFile = path.join(folder, 'clients.jsonl')
  const killed = () => progress.advance(1)
  const chaos = new Chaos({ exchange, kills, seed, answersMax: ANSWERS_MAX, logFile, killed })
  const report = await chaos.run().finally(() => exchange.stop('SIGKILL'))
  progress.end()
  const isVerified = verify(exchange.data)
  process.stdout.write(textOf(report))
  const isWell = report.findings.length === 0 && isVerified
  const lost = report.findings.length
  process.stdout.write(
    `${JSON.stringify({ chaos: { seed, ...report, findings: lost, isWell } })}\n`,
  )
  if (!isWell) {
    process.stdout.write(`Data folder ${exchange.data}, clients' log ${logFile}, seed ${seed}\n`)
    return false
  }
  await exchange.remove()
  rmSync(folder, { recursive: true })
  return true
}

const planOf = (names: string | undefined): readonly ReplicaFault[] | undefined =>
  names?.split(',').map((name) => oneOf('faults', name, replicaFaults))

async function runReplicated(
  kills: number,
  seed: number,
  plan: readonly ReplicaFault[] | undefined,
): Promise<boolean> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-chaos-'))
  const logFile = path.join(folder, 'clients.jsonl')
  const { members, servers } = await startMembers()
  process.stdout.write(`seed ${seed}, ${kills} kills, replicated; ${members.networks.kind}\n`)
  const progress = new Progress('kills', kills)
  const struck = () => progress.advance(1)
  const chaos = new ReplicatedChaos({
    ...{ members, servers, kills, seed, answersMax: ANSWERS_MAX, logFile, struck },
    ...(plan !== undefined && { plan }),
  })
  const report = await chaos.run().finally(async () => {
    await members.kill()
    await servers.remove()
  })
  progress.end()
  process.stdout.write(textOfReplicated(report))
  const lost = report.findings.length
  const outcome = { seed, ...report, findings: lost, isWell: lost === 0 }
  process.stdout.write(`${JSON.stringify({ chaos: outcome })}\n`)
  if (lost > 0) {
    const folders = members.all.map(({ exchange }) => exchange.data).join(', ')
    process.stdout.write(`Data folders ${folders}, clients' log ${logFile}, seed ${seed}\n`)
    return false
  }
  await members.remove()
  rmSync(folder, { recursive: true })
  return true
}

function verify(data: string): boolean {
  const script = path.join(import.meta.dirname, 'verify-journal.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--data', data])
  process.stdout.write(stdout)
  if (status !== 0) process.stdout.write(stderr)
  return status === 0
}

function textOf({ kills, snapshotsBegunFrom, ...compared }: ChaosReport): string {
  return [
    `kills: ${kills.load} under load, ${kills.snapshot} around a snapshot, ${kills.start} while starting`,
    `starts that continued from a snapshot: ${snapshotsBegunFrom}`,
    ...linesOf(compared),
  ].join('\n')
}

function textOfReplicated({ kills, successions, ...report }: ReplicatedReport): string {
  const { trimmed, formers, seeds, outages, ...compared } = report
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
    ...linesOf(compared),
  ].join('\n')
}

function linesOf({
  answers,
  resolved,
  findings,
}: Pick<ChaosReport, 'answers' | 'resolved' | 'findings'>): string[] {
  const { orders, cancels, fills, amendments, lists, refusals } = answers
  const { tookEffect, didNot } = resolved
  return [
    `answers compared: ${orders} orders, ${fills} fills, ${cancels} cancels, ${amendments} ` +
      `amendments, ${lists} lists, ${refusals} refusals`,
    `requests without an answer: ${tookEffect} had taken effect, ${didNot} had not`,
    `lost, undone or impossible: ${findings.length}`,
    ...findings.slice(0, FINDINGS_SHOWN),
    '',
  ]
}

await runTool(run)
