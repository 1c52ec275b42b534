/** Returns why a file, folder or port cannot be used, for an operator. */

const KNOWN: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  EEXIST: 'it exists already',
  ENOTEMPTY: 'it is not empty',
  ECONNREFUSED: 'nothing listens there',
  EADDRINUSE: 'the port is in use',
  EADDRNOTAVAIL: 'the address is not on this machine',
  ENOSPC: 'the disk is full',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  EIO: 'the disk reports an error',
}

/** What LMDB reports of a file that is not LMDB's, or not whole. */
const DAMAGED = /^MDB_(CORRUPTED|PAGE_NOTFOUND|INVALID|VERSION_MISMATCH|PANIC)/

/** Returns the reason of a failed system call in words; for any other error its message. */
export function fileFault(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const damage = DAMAGED.exec(message)
  if (damage !== null) return `its file is damaged (${damage[0]})`
  return KNOWN[code ?? ''] ?? message
}

const FREE_SPACE = 'Free space on its disk, then start again.'
const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: FREE_SPACE,
  EACCES: 'Give the user of the exchange the right to write it, then start again.',
  EPERM: 'Give the user of the exchange the right to write it, then start again.',
  EROFS: 'Make its file system writable, then start again.',
  EMFILE: 'Raise the limit of open files (ulimit -n), then start again.',
  EIO: 'Check the disk, then start again; ringbook restore makes a data folder of a backup.',
}

/** Returns what is wrong with a store of the data folder, and what its operator can do. */
export function storeFault(what: string, verb: 'used' | 'written', error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  const damaged = DAMAGED.test(message) ? 'ringbook restore makes a data folder of a backup.' : ''
  const room = message.includes('of the disk are left') ? FREE_SPACE : ''
  const remedy = REMEDIES[code] ?? (room || damaged)
  return `${what} cannot be ${verb}: ${fileFault(error)}. ${remedy}`.trim()
}
