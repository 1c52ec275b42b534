/** Workers on threads of their own. */
import { LinuxScheduler } from '../threads/background.ts'
import { hireThread } from '../threads/thread-worker.ts'
import type { Workers } from './assemble.ts'

export const onThreads: Workers = () => {
  const scheduler = new LinuxScheduler()
  // The sooner, the smaller the process that it copies.
  if (process.platform === 'linux') scheduler.open()
  return { hire: hireThread, scheduler }
}
