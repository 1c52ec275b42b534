/**
 * The page's frames. Everything that arrives is read, and everything that changed is painted, in one
 * callback of requestAnimationFrame, which is requested only when something has arrived or changed. A
 * hidden page has no frames: it works once a second.
 */

const HIDDEN_MS = 1_000
/** Time that a frame may spend reading messages. */
export const READ_MS = 6

type Task = () => void

const readers = new Set<Task>()
const painters = new Set<Task>()
let isAsked = false
let timer: number | undefined

/** Calls `task` in each frame, before painters. Returns a function that ends this. */
export function onRead(task: Task): Task {
  readers.add(task)
  return () => readers.delete(task)
}

/** Calls `task` in each frame, after readers. Returns a function that ends this. */
export function onPaint(task: Task): Task {
  painters.add(task)
  requestFrame()
  return () => painters.delete(task)
}

export function requestFrame(): void {
  if (isAsked) return
  isAsked = true
  if (document.hidden) timer = setTimeout(frame, HIDDEN_MS)
  else requestAnimationFrame(frame)
}

function frame(): void {
  isAsked = false
  for (const read of readers) read()
  for (const paint of painters) paint()
}

document.addEventListener('visibilitychange', () => {
  clearTimeout(timer)
  isAsked = false
  requestFrame()
})
