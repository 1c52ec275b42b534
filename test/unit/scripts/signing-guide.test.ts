/** The programs of docs/guides/signing.md sign as Binance's published examples, and as the exchange verifies. */
import { execFileSync } from 'node:child_process'
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'
import { hasTool } from '../../runner/tools.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const page = readFileSync(path.join(root, 'docs/guides/signing.md'), 'utf8')

/** Published with the REST API's general information: an ASCII query, and one of full-width digits. */
const secret = 'NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j'
const tail =
  'side=BUY&type=LIMIT&timeInForce=GTC&quantity=1&price=0.1&recvWindow=5000&timestamp=1499827319559'
const hmacVectors = [
  [`symbol=LTCBTC&${tail}`, 'c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71'],
  [
    `symbol=%EF%BC%91%EF%BC%92%EF%BC%93%EF%BC%94%EF%BC%95%EF%BC%96&${tail}`,
    'e1353ec6b14d888f1164ae9af8228a3dbd508bc82eb867db8ab6046442f33ef3',
  ],
] as const
/** Published with the FIX API's logon; its payload has SOH between its fields. */
const ed25519 = {
  key: 'MC4CAQAwBQYDK2VwBCIEIIJEYWtGBrhACmb9Dvy+qa8WEf0lQOl1s4CLIAB9m89u',
  payload: 'A\x01EXAMPLE\x01SPOT\x011\x0120240627-11:17:25.223',
  signature:
    '4MHXelVVcpkdwuLbl6n73HQUXUf1dse2PCgT1DYqW9w8AVZ1RACFGM+5UdlGPrQHrgtS3CvsRURC1oj73j8gCA==',
} as const
/** No private RSA key is published: a fresh one signs, and its public half verifies. */
const rsa = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})

const folder = temporaryFolder()
const inFolder = (name: string) => path.join(folder, name)

beforeAll(() => {
  writeFileSync(inFolder('rsa.pem'), rsa.privateKey)
  const pem = `-----BEGIN PRIVATE KEY-----\n${ed25519.key}\n-----END PRIVATE KEY-----\n`
  writeFileSync(inFolder('ed25519.pem'), pem)
})

/** Writes the page's program into a file of the folder. */
function program(fence: string, name: string): string {
  const code = new RegExp(`^\`\`\`${fence}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(page)?.[1]
  writeFileSync(inFolder(name), code!)
  return inFolder(name)
}

interface Language {
  readonly isHere: boolean
  /** Returns the words of the command that signs. */
  prepare(): readonly string[]
}
const languages: Readonly<Record<string, Language>> = {
  Bash: { isHere: true, prepare: () => ['bash', program('bash', 'sign.sh')] },
  Python: {
    isHere: hasTool('cryptography'),
    prepare: () => ['python3', program('python', 'sign.py')],
  },
  JavaScript: {
    isHere: true,
    prepare: () => [process.execPath, program('js', 'sign.mjs')],
  },
  Java: {
    isHere: hasTool('java'),
    prepare: () => {
      // Each start from the source would compile it again.
      execFileSync('javac', ['-d', folder, program('java', 'Sign.java')])
      return ['java', '-cp', folder, 'Sign']
    },
  },
  'C++': {
    isHere: hasTool('libcrypto'),
    prepare: () => {
      const built = inFolder('sign')
      const words = ['-std=c++17', program('cpp', 'sign.cpp'), '-o', built, '-lcrypto']
      execFileSync('g++', words)
      return [built]
    },
  },
}

test('the page has a program in each language', () => {
  const headings = [...page.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading)
  expect(headings).toEqual(Object.keys(languages))
})

const SLOW_MS = 300_000

describe.each(Object.entries(languages))('%s', (_, { isHere, prepare }) => {
  test.runIf(isHere)('signs with keys of all kinds', { timeout: SLOW_MS }, () => {
    const [command = '', ...words] = prepare()
    const signatureOf = (query: string, env: Readonly<Record<string, string>>) => {
      const options = { env: { ...process.env, ...env } }
      const signed = execFileSync(command, [...words, query], options)
        .toString()
        .trimEnd()
      expect(signed.startsWith(`${query}&signature=`)).toBe(true)
      return decodeURIComponent(signed.slice(`${query}&signature=`.length))
    }
    for (const [query, signature] of hmacVectors) {
      expect(signatureOf(query, { KIND: 'HMAC', SECRET: secret })).toBe(signature)
    }
    const byEd25519 = { KIND: 'ED25519', PRIVATE_KEY: inFolder('ed25519.pem') }
    expect(signatureOf(ed25519.payload, byEd25519)).toBe(ed25519.signature)
    const [query] = hmacVectors[0]
    const byRsa = { KIND: 'RSA', PRIVATE_KEY: inFolder('rsa.pem') }
    const signature = Buffer.from(signatureOf(query, byRsa), 'base64')
    const publicKey = createPublicKey(rsa.publicKey)
    expect(verify('sha256', Buffer.from(query), publicKey, signature)).toBe(true)
  })
})
