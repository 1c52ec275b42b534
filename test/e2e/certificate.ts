/** Certificates for this machine (X.509, RFC 5280), made anew by each test. */
import { generateKeyPairSync, sign } from 'node:crypto'

interface Certificate {
  /** Both PEM. */
  readonly certificate: string
  readonly key: string
}

const OID = {
  ecdsaWithSha256: [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02],
  commonName: [0x55, 0x04, 0x03],
  subjectAltName: [0x55, 0x1d, 0x11],
  basicConstraints: [0x55, 0x1d, 0x13],
} as const

function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents)
  const { length } = body
  const long = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  const head = length < 128 ? [length] : long
  return Buffer.concat([Buffer.from([tag, ...head]), body])
}
const sequence = (...contents: readonly Uint8Array[]) => der(0x30, ...contents)
const oid = (bytes: readonly number[]) => der(0x06, Buffer.from(bytes))
const time = (year: number) => der(0x18, Buffer.from(`${year}0101000000Z`))
const extension = (id: readonly number[], value: Uint8Array) => sequence(oid(id), der(0x04, value))

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

function distinguished(commonName: string): Buffer {
  const common = sequence(oid(OID.commonName), der(0x0c, Buffer.from(commonName)))
  return sequence(der(0x31, common))
}

/** One that signs itself. */
export function ownCertificate(): Certificate {
  const keys = newKeys()
  return certificateOf(keys, 'localhost', keys.privateKey)
}

/** One that was issued by an authority, whose own certificate is not with it. */
export const issuedCertificate = (): Certificate =>
  certificateOf(newKeys(), 'authority', newKeys().privateKey)

type Keys = ReturnType<typeof newKeys>

function certificateOf(
  { publicKey, privateKey }: Keys,
  issuer: string,
  issuerKey: Keys['privateKey'],
): Certificate {
  const algorithm = sequence(oid(OID.ecdsaWithSha256))
  const names = sequence(
    der(0x82, Buffer.from('localhost')),
    der(0x87, Buffer.from([127, 0, 0, 1])),
  )
  const isAuthority = sequence(der(0x01, Buffer.from([0xff])))
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    distinguished(issuer),
    sequence(time(2020), time(2120)),
    distinguished('localhost'),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(extension(OID.subjectAltName, names), extension(OID.basicConstraints, isAuthority)),
    ),
  )
  const signature = sign('sha256', body, issuerKey)
  const certificate = sequence(body, algorithm, der(0x03, Buffer.from([0]), signature))
  const lines = certificate.toString('base64').replace(/(.{64})/g, '$1\n')
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
