/** Starts the roles of ring-worker.ts on separate threads, from the compiled files. */
import type { RoleName, Roles } from './ring-worker.ts'
import { runThreads } from './threads.ts'

/** Runs one role to its end on a new thread; answers what it found. Rejects when it throws. */
export async function onThread<Role extends RoleName>(
  role: Role,
  task: Parameters<Roles[Role]>[0],
): Promise<ReturnType<Roles[Role]>> {
  const tasks = [{ name: role, workerData: { role, task } }]
  const [answer] = await runThreads<ReturnType<Roles[Role]>>('ring-worker.js', tasks)
  return answer!
}
