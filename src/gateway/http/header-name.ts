/**
 * Names of request headers as bytes: uWebSockets.js converts a text at each use, which takes as long as the
 * search for the header (bench `wire`).
 */
export type HeaderName = ArrayBuffer

/** Returns the bytes of a name in lower case. */
export const headerName = (name: string): HeaderName => new TextEncoder().encode(name).buffer
