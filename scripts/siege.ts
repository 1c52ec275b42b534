/**
 * `npm run siege -- --seconds 300 [--attacks names,pings]`: attacks an exchange of its own from several
 * loopback addresses, while a market maker trades and a reader keeps a book (siege/siege.ts). Exit code
 * 1 unless the process lives, memory stays within bounds, nothing acknowledged is lost, the book is
 * right and the polite clients' p99 is at most three times that of a control run.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { readFlags, runTool, wholeNumber } from './command-line/tool.ts'
import { UsageError } from './command-line/usage-error.ts'
import type { Attack } from './siege/attack.ts'
import { attacks } from './siege/attacks/table.ts'
import { isFair, isUnharmed, Siege } from './siege/siege.ts'

const FINDINGS_SHOWN = 20
const PERCENT = 100
/** Seeds stay readable, and are others in every run. */
const SEEDS = 2 ** 31

const list = attacks.map(({ name, about }) => `\n    ${name}: ${about}`).join('')

const tool = {
  name: 'siege',
  about: `Attacks an exchange in many ways at once, while polite clients use it.

Attacks:${list}`,
  flags: {
    seconds: { value: 'N', about: 'How long it is attacked', default: '60' },
    'control-seconds': { value: 'N', about: 'Length of the control run; as long when left out' },
    attacks: { value: 'NAMES', about: 'Which attacks, with commas between', default: 'all' },
    percent: { value: 'N', about: 'Size of books and attacks', default: '100' },
    gateways: { value: 'N', about: "The exchange's gateways", default: '1' },
    matchers: { value: 'N', about: "The exchange's matchers", default: '1' },
    files: { value: 'N', about: "Most files it may hold open; the system's limit when left out" },
    seed: { value: 'N', about: 'Of what happens; else one that is printed' },
  },
} as const

async function run(args: string[]): Promise<boolean> {
  const values = readFlags(tool, args)
  if (values === undefined) return true
  const seconds = wholeNumber('seconds', values.seconds)
  const controlSeconds = wholeNumber('control-seconds', values['control-seconds'] ?? values.seconds)
  const seed = wholeNumber('seed', values.seed ?? String((Date.now() % SEEDS) + 1))
  const gateways = wholeNumber('gateways', values.gateways)
  const matchers = wholeNumber('matchers', values.matchers)
  const files = values.files === undefined ? {} : { files: wholeNumber('files', values.files) }
  const chosen = attacksNamed(values.attacks)
  const scale = wholeNumber('percent', values.percent) / PERCENT
  process.stdout.write(`seed ${seed}, ${seconds} s\n`)
  const data = mkdtempSync(path.join(os.tmpdir(), 'ringbook-siege-'))
  const siege = new Siege({
    attacks: chosen,
    seconds,
    controlSeconds,
    seed,
    scale,
    data,
    port: await freePort(),
    adminPort: await freePort(),
    flags: ['--gateways', String(gateways), '--matchers', String(matchers)],
    ...files,
    said: (sentence) => process.stdout.write(`${sentence}\n`),
  })
  const report = await siege.run()
  const { findings, ...numbers } = report
  for (const finding of findings.slice(0, FINDINGS_SHOWN)) process.stdout.write(`${finding}\n`)
  const isWell = isUnharmed(report) && isFair(report)
  if (isUnharmed(report)) rmSync(data, { recursive: true })
  else process.stdout.write(`Data folder ${data}, seed ${seed}\n`)
  process.stdout.write(`${JSON.stringify({ ...numbers, findings: findings.length, isWell })}\n`)
  return isWell
}

function attacksNamed(text: string): readonly Attack[] {
  if (text === 'all') return attacks
  return text.split(',').map((name) => {
    const attack = attacks.find((row) => row.name === name)
    if (attack !== undefined) return attack
    throw new UsageError(
      `There is no attack "${name}"; there are ${attacks.map((row) => row.name).join(', ')}.`,
    )
  })
}

/** A port that the kernel gives to no connection, as it is free at this moment. */
async function freePort(): Promise<number> {
  const lowest = 10_100
  const count = 20_000
  for (let tries = 0; tries < count; tries++) {
    const port = lowest + Math.floor(Math.random() * count)
    if (await isFree(port)) return port
  }
  throw new UsageError('Every port from 10100 to 30099 is taken.')
}

function isFree(port: number): Promise<boolean> {
  const server = net.createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

await runTool(run)
