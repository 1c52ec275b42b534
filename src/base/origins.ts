/** Origins of web pages, as browsers send them: scheme, host, and port unless it is the usual one. */

/** Origins that one setting may name. */
export const ORIGINS_MAX = 64
const ORIGIN = /^https?:\/\/(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)(:\d{1,5})?$/

/** Parses origins, as in `https://desk.example, http://localhost:3000`. Undefined when one is none. */
export function parseOrigins(text: string): readonly string[] | undefined {
  const origins = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
  const areRight = origins.length <= ORIGINS_MAX && origins.every(isOrigin)
  return areRight ? origins : undefined
}

/** Whether a browser would send the text: an origin in another spelling would never match. */
function isOrigin(text: string): boolean {
  return ORIGIN.test(text) && URL.canParse(text) && new URL(text).origin === text
}
