/** Says why a file, folder or port cannot be used, for an operator. */

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

/** Returns the reason of a failed system call in words; for any other error its message. */
export function fileFault(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return KNOWN[code ?? ''] ?? message
}
