/**
 * Measures the seconds from `npm start` in a clean clone to the first filled order, by the README's words
 * alone: its command line, then its order. Exit code 1 beyond 30 seconds.
 *
 *   npm run first-order [-- --port 8080 --at-most 30 --modules FOLDER]
 *
 * The port after it must be free too. With `--modules` the clone has those packages, and no `npm ci`.
 *
 * Plain JavaScript, because nothing of the clone is built when it begins. `npm ci`, which asks the
 * registry, is timed apart.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

const START = 'npm ci && npm start'
const README_PORT = '8080'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: README_PORT },
    'at-most': { type: 'string', default: '30' },
    modules: { type: 'string' },
  },
})
const { port, modules } = values
const secondsMax = Number(values['at-most'])
const root = path.resolve(import.meta.dirname, '..')
const folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-first-order-'))
const clone = path.join(folder, 'ringbook')

/**
 * The blocks of shell lines in a section of the README.
 *
 * @param {string} title
 */
function blocksOf(title) {
  const readme = readFileSync(path.join(clone, 'README.md'), 'utf8')
  const [, section = ''] = new RegExp(`^## ${title}\n([\\s\\S]*?)\n## `, 'm').exec(readme) ?? []
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text)
}

/** @param {number} sinceMs */
const secondsSince = (sinceMs) => (performance.now() - sinceMs) / 1000

/** Starts it, waits for its log, places the order. Returns the response and the seconds. */
async function firstOrder() {
  const beganMs = performance.now()
  const env = {
    ...process.env,
    RINGBOOK_PORT: port,
    RINGBOOK_ADMIN_PORT: String(Number(port) + 1),
  }
  const child = spawn('npm', ['start'], { cwd: clone, env, detached: true })
  // npm and what it started.
  const end = () => process.kill(-Number(child.pid), 'SIGTERM')
  process.once('SIGTERM', end)
  let output = ''
  try {
    await new Promise((resolve, reject) => {
      child.once('close', () => reject(new Error(`it does not start:\n${output}`)))
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (text) => {
          output += text
          if (output.includes('"started"')) resolve(undefined)
        })
      }
    })
    const order = blocksOf('Trade').at(-1)?.replaceAll(README_PORT, port) ?? ''
    const said = execFileSync('bash', ['-ec', order], { cwd: clone, encoding: 'utf8' })
    return { order: JSON.parse(said), seconds: secondsSince(beganMs) }
  } finally {
    end()
    await new Promise((resolve) => {
      if (child.exitCode === null && child.signalCode === null) child.once('close', resolve)
      else resolve(undefined)
    })
  }
}

try {
  execFileSync('git', ['clone', '--quiet', root, clone])
  const [start = ''] = blocksOf('Start')
  if (start.trim() !== START) throw new Error(`the README starts otherwise: ${start}`)
  if (modules === undefined) {
    const installedMs = performance.now()
    execFileSync('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: clone })
    process.stdout.write(`npm ci: ${secondsSince(installedMs).toFixed(1)} s\n`)
  } else symlinkSync(path.resolve(modules), path.join(clone, 'node_modules'))
  const { order, seconds } = await firstOrder()
  const { status, origQty, symbol } = order
  process.stdout.write(
    `npm start to an order of ${origQty} ${symbol}, ${status}: ${seconds.toFixed(1)} s ` +
      `(at most ${secondsMax})\n`,
  )
  if (status !== 'FILLED' || seconds > secondsMax) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
