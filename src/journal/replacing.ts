/**
 * Puts other content in the place of a data folder's own, so that a kill at any moment leaves one or the other.
 * The names of three folders in the data folder show how far it is:
 *
 * | folder              | means                                                          | a start then  |
 * |---------------------|----------------------------------------------------------------|---------------|
 * | `replacing.partial` | the new content is being copied                                | removes it    |
 * | `replacing`         | the new content is whole and decided; what is beside it is old | continues     |
 * | `replacing.moving`  | the old content is gone; the new one moves to its places       | continues     |
 *
 * What is no content (content.ts) stays.
 */
import * as fs from 'node:fs'
import path from 'node:path'
import { checkCopy, flushAll, MANIFEST } from './backup.ts'
import { isContent, keyFilesIn, SECRET_KEY } from './content.ts'
import { ControlStore } from './control-store.ts'
import { flushFolder } from './environment.ts'
import { writeWholeFile } from './whole-file.ts'

const PARTIAL = 'replacing.partial'
const DECIDED = 'replacing'
const MOVING = 'replacing.moving'

/** Copies a saved state, and appends a fact to its control journal. Resolves when that is on the disk. */
export async function stageState(dataFolder: string, state: string, fact: unknown): Promise<void> {
  // The event loop runs meanwhile: clients are served.
  for (const steps = checkCopy(state); steps.next().done !== true; ) await fs.promises.access(state)
  const stage = emptyStage(dataFolder)
  await copyFolder(state, stage, (name) => name !== MANIFEST)
  appendTo(stage, [fact])
}

/** Stages a folder without orders: these facts, and the keys in the clear that are theirs. */
export function stageFacts(
  dataFolder: string,
  facts: readonly unknown[],
  hasKey: (apiKey: string) => boolean,
): void {
  const stage = emptyStage(dataFolder)
  fs.mkdirSync(stage, { mode: 0o700 })
  fs.copyFileSync(path.join(dataFolder, SECRET_KEY), path.join(stage, SECRET_KEY))
  for (const name of keyFilesIn(dataFolder)) {
    const rows = JSON.parse(fs.readFileSync(path.join(dataFolder, name), 'utf8'))
    const own = (rows as { apiKey: string }[]).filter(({ apiKey }) => hasKey(apiKey))
    if (own.length === 0) continue
    writeWholeFile(path.join(stage, name), `${JSON.stringify(own, undefined, 2)}\n`)
  }
  appendTo(stage, facts)
}

/** Puts the staged content in place. Nothing may have the data folder's files open. */
export function replaceContent(dataFolder: string): void {
  fs.renameSync(path.join(dataFolder, PARTIAL), path.join(dataFolder, DECIDED))
  flushFolder(dataFolder)
  finishReplacing(dataFolder)
}

/**
 * Puts a folder, which lies within the data folder and which an exchange has open, in the place of the content. Then a link
 * of the folder's name leads to the data folder, so that the exchange finds its files. Nothing may have the old content open.
 */
export function replaceByOpen(dataFolder: string, folder: string): void {
  fs.renameSync(folder, path.join(dataFolder, DECIDED))
  flushFolder(dataFolder)
  finishReplacing(dataFolder)
  fs.symlinkSync(path.relative(path.dirname(folder), dataFolder) || '.', folder)
}

/** Removes what is staged, and not in place. */
export function discardStage(dataFolder: string): void {
  fs.rmSync(path.join(dataFolder, PARTIAL), { recursive: true, force: true })
}

/** Finishes what was interrupted, before anything else reads the folder. Returns whether content was decided. */
export function finishReplacing(dataFolder: string): boolean {
  discardStage(dataFolder)
  const [decided, moving] = [DECIDED, MOVING].map((name) => path.join(dataFolder, name))
  if (fs.existsSync(decided!)) {
    for (const name of fs.readdirSync(dataFolder).filter(isContent)) {
      fs.rmSync(path.join(dataFolder, name), { recursive: true, force: true })
    }
    flushFolder(dataFolder)
    fs.renameSync(decided!, moving!)
    flushFolder(dataFolder)
  }
  if (!fs.existsSync(moving!)) return false
  for (const name of fs.readdirSync(moving!)) {
    fs.renameSync(path.join(moving!, name), path.join(dataFolder, name))
  }
  flushFolder(dataFolder)
  fs.rmSync(moving!, { recursive: true })
  flushFolder(dataFolder)
  return true
}

/** Where content is staged. */
export const stagedFolder = (dataFolder: string): string => path.join(dataFolder, PARTIAL)

function emptyStage(dataFolder: string): string {
  discardStage(dataFolder)
  return stagedFolder(dataFolder)
}

/** Copies a folder that must not be there yet; shares blocks of the disk where its file system can. */
export async function copyFolder(
  from: string,
  to: string,
  isCopied: (name: string) => boolean,
): Promise<void> {
  await fs.promises.mkdir(to, { mode: 0o700 })
  for (const entry of await fs.promises.readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isDirectory()) await copyFolder(source, target, isCopied)
    else if (isCopied(entry.name)) {
      await fs.promises.copyFile(source, target, fs.constants.COPYFILE_FICLONE)
    }
  }
}

function appendTo(stage: string, facts: readonly unknown[]): void {
  const control = ControlStore.open(stage)
  try {
    control.appendAll(facts)
  } finally {
    control.close()
  }
  flushAll(stage)
}
