/** Data folders that are mount points, and so cannot be renamed. */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'

/** A run that fails leaves no mount behind. */
const mounted = new Set<string>()
process.once('exit', () => {
  for (const folder of mounted) unmount(folder)
})

/** Mounts an empty folder beside it, where the system allows that (Linux, root). */
export function mount(folder: string): void {
  const disk = `${folder}-disk`
  fs.rmSync(disk, { recursive: true, force: true })
  fs.mkdirSync(disk)
  try {
    execFileSync('mount', ['--bind', disk, folder], { stdio: 'pipe' })
    mounted.add(folder)
  } catch {
    fs.rmSync(disk, { recursive: true })
  }
}

export const isMounted = (folder: string): boolean => mounted.has(folder)

/** Gives a folder back that was mounted. */
export function unmount(folder: string): void {
  if (!mounted.delete(folder)) return
  execFileSync('umount', ['--lazy', folder], { stdio: 'pipe' })
  fs.rmSync(`${folder}-disk`, { recursive: true })
}
