/** Starts the roles of ring-worker.ts on threads of their own, from the compiled files. */
import { Worker } from 'node:worker_threads'
import type { RoleName, Roles } from './ring-worker.ts'

const compiled = new URL('../../dist/test/stress/ring-worker.js', import.meta.url)

/** Runs one role to its end on a new thread; answers what it found. Rejects when it throws. */
export function onThread<Role extends RoleName>(
  role: Role,
  task: Parameters<Roles[Role]>[0],
): Promise<ReturnType<Roles[Role]>> {
  return new Promise((resolve, reject) => {
    // Without the test runner's own flags, which would look for sources instead of compiled files.
    const worker = new Worker(compiled, { workerData: { role, task }, execArgv: [] })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}
