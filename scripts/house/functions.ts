/** The lengths of functions, from the compiler's own syntax trees. */
import path from 'node:path'
import type { Node, SourceFile } from 'typescript/unstable/ast'
import { isFunctionLikeDeclaration } from 'typescript/unstable/ast/is'
import { API } from 'typescript/unstable/sync'

export interface FunctionLength {
  /** `path:line`. */
  readonly place: string
  readonly name: string
  readonly lines: number
}

/** Functions of the project's files whose path passes, the longest first. */
export function functionLengths(
  root: string,
  passes: (file: string) => boolean,
): readonly FunctionLength[] {
  const api = new API({ cwd: root })
  try {
    const project = api
      .updateSnapshot({ openProject: path.join(root, 'tsconfig.json') })
      .getProjects()[0]!
    const found: FunctionLength[] = []
    for (const rootFile of project.rootFiles) {
      const file = path.relative(root, rootFile)
      if (passes(file)) collect(project.program.getSourceFile(rootFile)!, file, found)
    }
    return found.sort((a, b) => b.lines - a.lines)
  } finally {
    api.close()
  }
}

function collect(source: SourceFile, file: string, found: FunctionLength[]): void {
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line
  const visit = (node: Node): undefined => {
    if (isFunctionLikeDeclaration(node)) {
      const first = lineOf(node.getStart(source))
      const name = nameOf(node, source)
      found.push({ place: `${file}:${first + 1}`, name, lines: lineOf(node.end) - first + 1 })
    }
    node.forEachChild(visit)
    return undefined
  }
  visit(source)
}

/** Its own name, else that of what it is assigned to, else what it is passed to. */
function nameOf(node: Node, source: SourceFile): string {
  const { name } = node as { readonly name?: Node }
  if (name !== undefined) return name.getText(source)
  const parent = node.parent as Node & { readonly name?: Node; readonly expression?: Node }
  const named = parent.name ?? parent.expression
  return named === undefined ? 'a function' : named.getText(source).slice(0, 40)
}
