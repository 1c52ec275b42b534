/**
 * System calls of a process, seen from outside. LMDB writes and flushes in native code, so nothing
 * within the process sees it.
 */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'

const CALLS = ['fdatasync', 'fsync', 'msync', 'sync_file_range', 'openat', 'unlink', 'unlinkat']
const WRITES = ['write', 'pwrite64', 'writev', 'pwritev', 'rename', 'renameat', 'renameat2']
/** Files that are written for another reason than to be read again. */
const IGNORED = /(^|\/)(probe|lock\.mdb)$/

/**
 * Runs a program of dist/ with the arguments, and returns what it did to files below `folder`, and its
 * marks, in order: "write F", "write! F" through a descriptor that flushes by itself, "flush F",
 * "rename F to G", "remove F", "mark M". Repetitions are left out.
 */
export function traceFiles(program: string, args: readonly string[], folder: string): string[] {
  const trace = `${folder}.trace`
  const strace = ['-f', '-y', '-s', '200', '-e', `trace=${[...CALLS, ...WRITES].join()}`]
  const command = [process.execPath, path.resolve('dist/test', program), ...args]
  const { status, stderr } = spawnSync('strace', [...strace, '-o', trace, ...command])
  expect(status, String(stderr)).toBe(0)
  const lines = fs.readFileSync(trace, 'utf8').split('\n')
  fs.rmSync(trace)
  return deedsIn(lines, folder).filter((deed, index, all) => deed !== all[index - 1])
}

function deedsIn(lines: readonly string[], folder: string): string[] {
  const synchronous = new Set<string>()
  const nameOf = (file: string) => path.relative(folder, file) || '.'
  const isOurs = (file: string) => file.startsWith(folder) && !IGNORED.test(file)
  const deeds: string[] = []
  for (const line of lines) {
    const mark = /write\(1<[^>]*>, "mark ([^"]*)\\n"/.exec(line)
    if (mark !== null) deeds.push(`mark ${mark[1]}`)
    const opened = /openat\(.*, ([A-Z_|]+)(?:, \d+)?\) = (\d+)</.exec(line)
    if (opened !== null) {
      if (opened[1]!.includes('O_DSYNC')) synchronous.add(opened[2]!)
      else synchronous.delete(opened[2]!)
    }
    const named = [...line.matchAll(/"(\/[^"]*)"/g)].map((it) => it[1]!)
    if (/ rename\w*\(/.test(line) && named.every(isOurs)) {
      deeds.push(`rename ${named.map(nameOf).join(' to ')}`)
    }
    if (/ unlink\w*\(/.test(line) && named.every(isOurs)) deeds.push(`remove ${nameOf(named[0]!)}`)
    const used = / (\w+)\((\d+)<([^>]*)>/.exec(line)
    if (used === null || !isOurs(used[3]!)) continue
    const [, call, descriptor, file] = used as unknown as [string, string, string, string]
    if (call.includes('sync')) deeds.push(`flush ${nameOf(file)}`)
    else if (call.includes('write')) {
      deeds.push(`${synchronous.has(descriptor) ? 'write!' : 'write'} ${nameOf(file)}`)
    }
  }
  return deeds
}
