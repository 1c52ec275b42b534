/**
 * Programs of the machine that some tests need. Tests without theirs are skipped: one line reports it before the
 * long tests begin. TESTS_NEED names programs that must be there, as .ci/run does for those it installed.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin']

/** Where the machine has the first of these programs that it has. */
function find(...names: readonly string[]): string | undefined {
  const files = names.flatMap((name) => folders.map((folder) => path.join(folder, name)))
  return files.find((file) => existsSync(file))
}

const ends = (program: string, ...args: readonly string[]): boolean =>
  spawnSync(program, args).status === 0

/** How to look for each tool, and what is not tested without it. */
const tools = {
  chromium: {
    find: () => process.env.CHROMIUM ?? find('chromium', 'chromium-browser', 'google-chrome'),
    without: 'pages in a browser',
  },
  // It may be there, and not permitted to trace.
  strace: {
    find: () => (ends('strace', '-o', '/dev/null', 'true') ? find('strace') : undefined),
    without: 'flushes as the kernel sees them',
  },
  unshare: {
    find: () => (ends('unshare', '-rn', 'true') ? find('unshare') : undefined),
    without: 'a data folder used from two network namespaces',
  },
  'g++': { find: () => find('g++'), without: 'the native load generator' },
  libcrypto: {
    find: () => (existsSync('/usr/include/openssl/evp.h') ? find('g++') : undefined),
    without: 'signing in C++',
  },
  java: { find: () => find('javac'), without: 'signing in Java' },
  cryptography: {
    find: () => (ends('python3', '-c', 'import cryptography') ? find('python3') : undefined),
    without: 'signing in Python',
  },
  pytest: {
    find: () => (ends('python3', '-m', 'pytest', '--version') ? find('python3') : undefined),
    without: 'suites in Python',
  },
  haproxy: { find: () => find('haproxy'), without: 'the load balancer and its file' },
  patroni: { find: () => find('patroni'), without: 'the file for Patroni' },
  promtool: { find: () => find('promtool'), without: 'the alerts for Prometheus' },
  'systemd-analyze': { find: () => find('systemd-analyze'), without: 'units of systemd' },
} as const satisfies Record<string, { find: () => string | undefined; without: string }>

export type Tool = keyof typeof tools

/** Returns the program's file; undefined where it is missing or does not work. */
export const toolPath = (tool: Tool): string | undefined => tools[tool].find()

export const hasTool = (tool: Tool): boolean => toolPath(tool) !== undefined

/** Runs once, before the long tests. */
export default function setup(): void {
  const missing = (Object.keys(tools) as Tool[]).filter((tool) => !hasTool(tool))
  const needed = (process.env.TESTS_NEED ?? '').split(' ')
  const lacking = missing.filter((tool) => needed.includes(tool))
  if (lacking.length > 0) throw new Error(`TESTS_NEED names what is missing: ${lacking.join(', ')}`)
  for (const tool of missing) {
    process.stderr.write(`Without ${tool} these tests are skipped: ${tools[tool].without}.\n`)
  }
}
