/** Checks the certificate and the key for TLS before a start. */
import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { fileFault } from '../../base/file-fault.ts'
import { StartError } from '../../base/start-error.ts'
import type { Config } from '../../config/config.ts'
import { isServable } from '../../gateway/tls-probe.ts'

const OTHERS = 0o077

/**
 * Returns when the certificate ends, ms since 1970; undefined when clients connect without TLS. Calls `warn` for a
 * key that other users can read. Throws StartError.
 */
export function checkTls(
  { tlsCert, tlsKey }: Config,
  warn: (sentence: string) => void,
): number | undefined {
  if (tlsCert === '') return undefined
  const cert = contents(tlsCert)
  const key = contents(tlsKey)
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    const { message } = error as Error
    throw new StartError(`${tlsCert} and ${tlsKey} are no certificate and its key: ${message}.`)
  }
  if (!isServable({ certFile: tlsCert, keyFile: tlsKey })) {
    throw new StartError(`${tlsCert} holds no certificate that can be served.`)
  }
  if ((statSync(tlsKey).mode & OTHERS) !== 0) {
    warn(`${tlsKey} is the key of the certificate, and others than its owner can read it`)
  }
  return Date.parse(new X509Certificate(cert).validTo)
}

function contents(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new StartError(`The file ${file} cannot be read: ${fileFault(error)}.`)
  }
}
