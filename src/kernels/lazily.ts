/**
 * The functions of a module that return a promise.
 * @inline
 */
type AsyncNames<M> = { [K in keyof M]: M[K] extends (...args: never[]) => Promise<unknown> ? K : never }[keyof M]

/**
 * A function of a module that is loaded when the function is first called. An entry point names many functions, and
 * most programs call few. The type is that of the function itself.
 */
export function lazily<M, K extends AsyncNames<M>>(load: () => Promise<M>, name: K): M[K] {
  const call = async (...args: never[]) => {
    const found = (await load())[name] as (...args: never[]) => Promise<unknown>
    return found(...args)
  }
  return call as M[K]
}
