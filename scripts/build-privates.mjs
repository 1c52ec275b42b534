/**
 * Lowers private names: the bundle reads `this.$count` where the source says `this.#count`. Node.js 20
 * looks a private name up in its class, then on the object; the constructor defines each private field
 * by a call. A plain property costs neither (bench `wire`). TypeScript has checked that no other class
 * uses a private name.
 *
 * A private field without a value starts as undefined if its type allows that, so that all objects of
 * the class have one shape. Others are set by the constructor, as TypeScript has checked.
 *
 * Lines and columns stay what they are, so that the bundle's source map holds.
 */
import { parseSync, Visitor } from 'rolldown/utils'

/** @import { ESTree } from 'rolldown/utils' */
/** The private names that a class declares, and the class that it extends. */
/** @typedef {{ name: string, base: string, privates: Set<string> }} ClassNames */
/** @typedef {{ code: string, classes: ClassNames[] }} Lowered */

/** Lowered code, by the code that it was: most modules are part of several programs. */
/** @type {Map<string, Lowered>} */
const known = new Map()

/** A plugin of the bundler, for one program. */
export function privates() {
  /** @type {ClassNames[]} */
  const classes = []
  return {
    name: 'privates',
    transform: {
      filter: { id: /\.ts$/, code: /#\w/ },
      /** @type {(code: string, file: string) => { code: string, map: null }} */
      handler(code, file) {
        const lowered = known.get(code) ?? lower(code, file)
        known.set(code, lowered)
        classes.push(...lowered.classes)
        return { code: lowered.code, map: null }
      },
    },
    buildEnd: () => refuseSharedNames(classes),
  }
}

/**
 * @param {string} code
 * @param {string} file
 * @returns {Lowered}
 */
function lower(code, file) {
  const { program, errors } = parseSync(file, code)
  // The bundler reports the same errors, with their places.
  if (errors.length > 0) return { code, classes: [] }
  const pieces = code.split('')
  /** @type {ClassNames[]} */
  const classes = []
  /** @param {ESTree.Class} node */
  const enter = (node) => classes.push(namesOf(node))
  new Visitor({
    ClassDeclaration: enter,
    ClassExpression: enter,
    PropertyDefinition(node) {
      if (isUnset(node)) pieces[node.end - 1] += ' = undefined'
    },
    PrivateIdentifier({ start }) {
      pieces[start] = '$'
    },
    BinaryExpression(node) {
      const { type } = /** @type {{ type: string }} */ (node.left)
      if (type === 'PrivateIdentifier') throw new Error(`${file}: an object is asked for a #name`)
    },
  }).visit(program)
  return { code: pieces.join(''), classes }
}

/**
 * @param {ESTree.Class} node
 * @returns {ClassNames}
 */
function namesOf({ id, superClass, body }) {
  const names = body.body.flatMap((member) =>
    'key' in member && member.key.type === 'PrivateIdentifier' ? [member.key.name] : [],
  )
  const base = superClass?.type === 'Identifier' ? superClass.name : ''
  return { name: id?.name ?? '', base, privates: new Set(names) }
}

/**
 * Whether it is a private field without a value, whose type allows undefined.
 *
 * @param {ESTree.PropertyDefinition} node
 */
function isUnset({ key, value, typeAnnotation }) {
  const type = typeAnnotation?.typeAnnotation
  const types = type?.type === 'TSUnionType' ? type.types : []
  const allowsUndefined = types.some(({ type }) => type === 'TSUndefinedKeyword')
  return key.type === 'PrivateIdentifier' && value === null && allowsUndefined
}

/**
 * Throws when a class and one that it extends have the same private name, which would become one
 * property. Classes of one name count as one.
 *
 * @param {readonly ClassNames[]} classes
 */
function refuseSharedNames(classes) {
  for (const { name, base, privates } of classes) {
    const above = new Set([base])
    for (const of of above) {
      const bases = of === '' ? [] : classes.filter((it) => it.name === of)
      const shared = bases.flatMap((it) => [...it.privates]).find((it) => privates.has(it))
      if (shared !== undefined)
        throw new Error(`${name} and ${of}, which it extends, have #${shared}`)
      for (const it of bases) above.add(it.base)
    }
  }
}
