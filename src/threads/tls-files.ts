/** Checks the certificate and the key for TLS before a start. */
import { readFileSync, statSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { fileFault } from '../base/file-fault.ts'
import type { Config } from '../config/config.ts'
import { isServable } from '../gateway/tls-probe.ts'
import { StartError } from './exclusive.ts'

const OTHERS = 0o077

/** Whether clients connect by TLS. Calls `warn` for a key that other users can read. Throws StartError. */
export function checkTls({ tlsCert, tlsKey }: Config, warn: (sentence: string) => void): boolean {
  if (tlsCert === '') return false
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
  return true
}

function contents(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new StartError(`The file ${file} cannot be read: ${fileFault(error)}.`)
  }
}
