/**
 * `npm run siege -- --seconds 300 [--attacks names,pings]`: attacks a separate exchange from several
 * loopback addresses, while a market maker trades and a reader keeps a book (siege/siege.ts). Exit code
 * 1 unless the process lives, memory stays within bounds, nothing acknowledged is lost, the book is
 * right and the polite clients' p99 is at most three times that of a control run.
 */
import { wholeNumber } from './command-line/tool.ts'
import { runTrial, SEED_FLAG } from './command-line/trial.ts'
import { UsageError } from './command-line/usage-error.ts'
import { type Attack, attacks } from './siege/attacks.ts'
import { isFair, isUnharmed, Siege } from './siege/siege.ts'

const PERCENT = 100

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
    seed: SEED_FLAG,
  },
} as const

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

await runTrial(tool, async (values, trial) => {
  const seconds = wholeNumber('seconds', values.seconds)
  const controlSeconds = wholeNumber('control-seconds', values['control-seconds'] ?? values.seconds)
  const gateways = wholeNumber('gateways', values.gateways)
  const matchers = wholeNumber('matchers', values.matchers)
  const files = values.files === undefined ? undefined : wholeNumber('files', values.files)
  const chosen = attacksNamed(values.attacks)
  const scale = wholeNumber('percent', values.percent) / PERCENT
  trial.begin(`${seconds} s`)
  const flags = ['--gateways', String(gateways), '--matchers', String(matchers)]
  const exchange = await Siege.exchangeIn(trial.folder, flags)
  exchange.filesMax = files
  const siege = new Siege({
    attacks: chosen,
    seconds,
    controlSeconds,
    seed: trial.seed,
    scale,
    exchange,
    said: (sentence) => process.stdout.write(`${sentence}\n`),
  })
  const report = await siege.run()
  const { findings, ...figures } = report
  return { lines: [], findings, figures, isWell: isUnharmed(report) && isFair(report) }
})
