/**
 * Plants a defect for as long as a simulator runs: replaces a method of a class, a getter, or a member of a
 * module by one that does it wrong. The compiler knows what is replaced, so a defect follows code that is
 * renamed or moved, and does not compile when the code is gone.
 */

/** A method as a function that takes the object first. */
type Unbound<Self, Method> = Method extends (...given: infer Given) => infer Result
  ? (self: Self, ...given: Given) => Result
  : never
type Anything = (...given: unknown[]) => unknown

export class Planting {
  private readonly undo: (() => void)[] = []

  /** Replaces a method by what `make` makes of the usual one. */
  method<Self, Name extends keyof Self & string>(
    type: { readonly prototype: Self },
    name: Name,
    make: (usual: Unbound<Self, Self[Name]>) => Unbound<Self, Self[Name]>,
  ): void {
    const { value } = this.propertyOf(type.prototype, name)
    const usual = (self: unknown, ...given: unknown[]) => (value as Anything).apply(self, given)
    const other = make(usual as unknown as Unbound<Self, Self[Name]>) as unknown as Anything
    this.define(type.prototype, name, {
      value(this: Self, ...given: unknown[]) {
        return other(this, ...given)
      },
    })
  }

  /** Replaces a getter. */
  getter<Self, Name extends keyof Self & string>(
    type: { readonly prototype: Self },
    name: Name,
    make: (usual: (self: Self) => Self[Name]) => (self: Self) => Self[Name],
  ): void {
    const { get } = this.propertyOf(type.prototype, name)
    if (get === undefined) throw new TypeError(`${name} is not a getter`)
    const other = make((self) => get.call(self))
    this.define(type.prototype, name, {
      get(this: Self) {
        return other(this)
      },
    })
  }

  /**
   * Replaces an export of a module, or a property of an exported object. An export is replaced for
   * files that import it, not in its own file.
   */
  member<Module, Name extends keyof Module & string>(
    module: Module,
    name: Name,
    make: (usual: Module[Name]) => Module[Name],
  ): void {
    const other = make(module[name])
    this.define(module, name, { get: () => other, enumerable: true })
  }

  /** Restores everything. */
  remove(): void {
    for (const undo of this.undo.reverse()) undo()
    this.undo.length = 0
  }

  private propertyOf(target: unknown, name: string): PropertyDescriptor {
    const property = Object.getOwnPropertyDescriptor(target, name)
    if (property === undefined) throw new TypeError(`there is no ${name} to replace`)
    return property
  }

  private define(target: unknown, name: string, property: PropertyDescriptor): void {
    const usual = this.propertyOf(target, name)
    Object.defineProperty(target, name, { configurable: true, ...property })
    this.undo.push(() => Object.defineProperty(target, name, usual))
  }
}

/** Whether code is running inside of `within`, for a defect that concerns only some callers. */
export class Extent {
  private depth = 0

  get isEntered(): boolean {
    return this.depth > 0
  }

  within<Result>(run: () => Result): Result {
    this.depth++
    try {
      return run()
    } finally {
      this.depth--
    }
  }
}
