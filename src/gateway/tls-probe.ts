/** Whether the library that will serve it takes a certificate, which is stricter than others are. */
import uWS from 'uWebSockets.js'
import type { TlsFiles } from './port.ts'

export function isServable({ certFile, keyFile }: TlsFiles): boolean {
  try {
    uWS.SSLApp({ cert_file_name: certFile, key_file_name: keyFile }).close()
    return true
  } catch {
    return false
  }
}
