/**
 * Signatures of requests, made in the browser by WebCrypto. Keys are imported so that they cannot be
 * read back, and are gone when the page is closed.
 */

/** Returns the signature of a payload, as requests carry it. */
export type Signer = (payload: string) => Promise<string>

const PEM = /-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----/

/** Why this page cannot sign; '' when it can. Browsers offer WebCrypto on https and localhost only. */
export function signingTrouble(): string {
  if (globalThis.crypto?.subtle !== undefined) return ''
  return (
    'This page cannot sign: browsers allow it only over https or on localhost. ' +
    'Open the console through https, or through a tunnel to localhost.'
  )
}

/** Whether the text is a private key in PEM rather than an HMAC secret. */
export const isPrivateKey = (secret: string): boolean => PEM.test(secret)

/** Returns the signer of an HMAC secret or of an Ed25519 private key in PEM. */
export async function makeSigner(secret: string): Promise<Signer> {
  return isPrivateKey(secret) ? ed25519Signer(secret) : hmacSigner(secret)
}

async function hmacSigner(secret: string): Promise<Signer> {
  const usage = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytesOf(secret), usage, false, ['sign'])
  return async (payload) => {
    const signature = await crypto.subtle.sign('HMAC', key, bytesOf(payload))
    return [...new Uint8Array(signature)].map((it) => it.toString(16).padStart(2, '0')).join('')
  }
}

async function ed25519Signer(pem: string): Promise<Signer> {
  const body = PEM.exec(pem)![1]!.replaceAll(/\s/g, '')
  const der = Uint8Array.from(atob(body), (character) => character.charCodeAt(0))
  const key = await crypto.subtle.importKey('pkcs8', der, 'Ed25519', false, ['sign']).catch(() => {
    throw new Error('The private key is no Ed25519 key, or this browser cannot use such keys.')
  })
  return async (payload) => {
    const signature = await crypto.subtle.sign('Ed25519', key, bytesOf(payload))
    return btoa(String.fromCharCode(...new Uint8Array(signature)))
  }
}

const bytesOf = (text: string) => new TextEncoder().encode(text)
