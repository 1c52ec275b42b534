/** Which processors the kernel lets a process or a thread use. */
import { readFileSync } from 'node:fs'
import { parseProcessors } from '../src/base/processor-list.ts'

/** `folder` is its own in /proc. */
export function allowedProcessors(folder: string): readonly number[] {
  const status = readFileSync(`${folder}/status`, 'utf8')
  return parseProcessors(/^Cpus_allowed_list:\s*(\S+)$/m.exec(status)![1]!)!
}
