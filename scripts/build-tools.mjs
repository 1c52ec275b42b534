/**
 * Installs the packages that a build needs and that `npm ci --omit=dev` leaves out: what bundles, and what
 * is bundled into the pages. `npm start` runs it first. Types are checked only where `npm ci` installed
 * TypeScript.
 *
 * The versions are those of package.json, and their bytes those of package-lock.json, which stays as it is.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

const TOOLS = [
  'rolldown',
  'marked',
  'minisearch',
  'preact',
  '@preact/signals',
  'lightweight-charts',
  'uplot',
  'qrcode-generator',
]

process.chdir(path.resolve(import.meta.dirname, '..'))
const missing = TOOLS.filter((name) => !fs.existsSync(`node_modules/${name}/package.json`))
if (missing.length > 0) {
  const { devDependencies } = JSON.parse(fs.readFileSync('package.json', 'utf8'))
  const packages = missing.map((name) => `${name}@${devDependencies[name]}`)
  process.stdout.write(`Installing what the build needs: ${missing.join(', ')} …\n`)
  const flags = ['--no-save', '--save-prod', '--omit=dev', '--no-audit', '--no-fund']
  execFileSync('npm', ['install', ...flags, '--loglevel=error', ...packages], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
