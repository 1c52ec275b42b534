/** What is served to browsers: pages that the build made, documents, and the demo's keys. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { builtPath } from '../base/package-folder.ts'
import { DOCS_ROOT, type PageFile, readPageFiles } from '../base/page-files.ts'
import type { Config } from '../config/config.ts'
import type { ConsoleParts } from '../gateway/http/console-requests.ts'
import type { DemoKey } from '../gateway/http/demo-sign-in.ts'

const FOLDER = builtPath('src/console')
const DOCS_FOLDER = builtPath('src/docs')

/** Returns the operator's screen; nothing where it was not built. */
export const readScreen = (): PageFile[] => readPageFiles(path.join(FOLDER, 'operator'))

export function readConsole({ console, demoSignIn, data }: Config): ConsoleParts {
  const docs = readPageFiles(DOCS_FOLDER, DOCS_ROOT)
  if (console === 'off') return { files: [], docs, demoKeys: [] }
  const demoKeys = demoSignIn === 'on' ? readDemoKeys(path.join(data, 'demo-keys.json')) : []
  return { files: readPageFiles(FOLDER), docs, demoKeys }
}

/** A folder without the demo has no such file. An operator may have removed or changed it. */
function readDemoKeys(file: string): readonly DemoKey[] {
  try {
    const rows: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return Array.isArray(rows) ? rows.filter(isDemoKey) : []
  } catch {
    return []
  }
}

const isDemoKey = (row: Partial<DemoKey> | null): row is DemoKey =>
  [row?.account, row?.apiKey, row?.secretKey].every((text) => typeof text === 'string')
