import { QueryveilError } from "./error.ts"

const wellFormed = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

/**
 * Items found by name, in order: the built-in ones, then those that extensions add. The built-in ones may be loaded
 * late (`complete`). Their names are known from the start, so that an extension cannot take one.
 */
export class Registry<T extends { readonly name: string }> {
  readonly #kind: string
  readonly #builtIn: readonly string[]
  readonly #list: T[] = []
  readonly #added: T[] = []

  /** `kind` names the items in messages: `attack`. */
  constructor(kind: string, builtIn: readonly string[]) {
    this.#kind = kind
    this.#builtIn = builtIn
  }

  /** Adds an item of an extension. A name that is taken or malformed is refused. */
  add(item: T): void {
    const { name } = item
    if (!wellFormed.test(name)) {
      throw new QueryveilError(
        "extension-name",
        `${this.#kind} ${name}: a name is lower-case letters, digits and single hyphens, and starts with a letter.`,
      )
    }
    if (this.#builtIn.includes(name) || this.findAdded(name) !== undefined) {
      throw new QueryveilError(
        "extension-name",
        `${this.#kind} ${name}: the name is taken. Choose another, and register each extension once.`,
      )
    }
    this.#added.push(item)
    this.#list.push(item)
  }

  /** Puts the built-in items first. The returned list grows as extensions are added. */
  complete(builtIn: readonly T[]): readonly T[] {
    this.#list.unshift(...builtIn)
    return this.#list
  }

  /** The item that an extension added under this name. */
  findAdded(name: string): T | undefined {
    return this.#added.find((item) => item.name === name)
  }

  /** The items that extensions added. */
  get added(): readonly T[] {
    return this.#added
  }
}
