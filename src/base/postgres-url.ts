/** The address of a PostgreSQL of several hosts, as libpq writes it: postgres://user@a:1,b:2/database. */

/** Returns one address for each host; undefined for text that is no such address. */
export function hostUrls(text: string): readonly string[] | undefined {
  const parts = /^(postgres(?:ql)?:\/\/)((?:[^@/]*@)?)([^@/?]+)((?:[/?].*)?)$/.exec(text)
  if (parts === null) return undefined
  const [, scheme, user, hosts, rest] = parts
  const urls = hosts!.split(',').map((host) => `${scheme}${user}${host}${rest}`)
  return urls.every((url) => URL.canParse(url) && new URL(url).hostname !== '') ? urls : undefined
}

/** Returns the host and port of such an address, without user and password. */
export const hostOf = (url: string): string => new URL(url).host
