/**
 * Separate code for what one object does most. V8 compiles a method once for all objects of its class,
 * and that code loads from the object where everything is. Where a function has a single closure, V8
 * takes what it closes over for constant, and so on through all fields that never change: the code of one
 * engine has the addresses and lengths of its book's memory in it (benches `book`, `engine`). Such a
 * function is compiled here for each object.
 */
import vm from 'node:vm'

/** From now on `object[name]`, a method of `arity` parameters, has its own code. */
export function giveOwnCode<Name extends string>(
  object: Record<Name, (...args: never[]) => unknown>,
  name: Name,
  arity: number,
): void {
  const list = Array.from({ length: arity }, (_, at) => `p${at}`).join()
  const source = `return function ${name}(${list}) { return method.call(object, ${list}) }`
  const bind = vm.compileFunction(source, ['object', 'method'], { filename: 'own-code' })
  object[name] = bind(object, object[name])
}
