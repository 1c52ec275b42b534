/**
 * The simulators over a source with one deliberate defect: modules are loaded anew, and the text of
 * one file is changed on the way. The source itself knows nothing of it.
 */
import path from 'node:path'
import { createViteServer } from 'vitest/node'

/** One change of one file's text. */
export interface Defect {
  readonly name: string
  /** From the project's root. */
  readonly file: string
  /** Stands exactly once in the file. */
  readonly from: string
  readonly to: string
}

const root = path.resolve(import.meta.dirname, '../..')

/** Loads modules with a defect, one after another. */
export class DefectiveSource {
  readonly #server: Awaited<ReturnType<typeof createViteServer>>
  readonly #planted: { defect: Defect | undefined; isPlanted: boolean }

  private constructor(
    server: Awaited<ReturnType<typeof createViteServer>>,
    planted: { defect: Defect | undefined; isPlanted: boolean },
  ) {
    this.#server = server
    this.#planted = planted
  }

  static async open(): Promise<DefectiveSource> {
    const planted: { defect: Defect | undefined; isPlanted: boolean } = {
      defect: undefined,
      isPlanted: false,
    }
    const server = await createViteServer({
      root,
      configFile: false,
      logLevel: 'silent',
      server: { middlewareMode: true, watch: null, hmr: false, ws: false },
      optimizeDeps: { noDiscovery: true },
      plugins: [
        {
          name: 'planted-defect',
          enforce: 'pre',
          transform(code, id) {
            const { defect } = planted
            if (defect === undefined || id !== path.join(root, defect.file)) return undefined
            if (code.split(defect.from).length !== 2) {
              throw new Error(`${defect.file} has not exactly one: ${defect.from}`)
            }
            planted.isPlanted = true
            return code.replace(defect.from, () => defect.to)
          },
        },
      ],
    })
    return new DefectiveSource(server, planted)
  }

  /** The module, with all that it imports, as if the file had the defect. */
  async load<Module>(module: string, defect: Defect | undefined): Promise<Module> {
    this.#planted.defect = defect
    this.#planted.isPlanted = false
    this.#server.moduleGraph.invalidateAll()
    const loaded = await this.#server.ssrLoadModule(module)
    if (defect !== undefined && !this.#planted.isPlanted) {
      throw new Error(`${module} does not reach ${defect.file}`)
    }
    return loaded as Module
  }

  close(): Promise<void> {
    return this.#server.close()
  }
}
