import type { State } from "./answers.ts"
import type { Api } from "./api.ts"

/** What every view needs of the proxy. */
export interface PersonalProxy {
  api: Api
  state: State
  setState(change: (state: State) => State): void
  /** Says where everybody sees it what went wrong. */
  fail(error: unknown): void
  /** Read out, not drawn. */
  say(text: string): void
}

/** Marks a topic, and whether that was done. */
export async function markSensitive(proxy: PersonalProxy, path: string, sensitivity: number): Promise<boolean> {
  const name = path.split("/").at(-1)
  try {
    const marks = await proxy.api.setSensitive({ path, sensitivity })
    proxy.setState((state) => ({ ...state, ...marks }))
    proxy.say(sensitivity > 0 ? `${name} is sensitive, ${sensitivity}.` : `${name} is no longer sensitive.`)
    return true
  } catch (error) {
    proxy.fail(error)
    return false
  }
}

/** Marks a topic as never shown, or takes that mark away; gives whether that was done. */
export async function markNever(proxy: PersonalProxy, path: string, never: boolean): Promise<boolean> {
  const name = path.split("/").at(-1)
  try {
    const marks = await proxy.api.setNever({ path, never })
    proxy.setState((state) => ({ ...state, ...marks }))
    proxy.say(never ? `${name} is never shown.` : `${name} may be shown within the bounds.`)
    return true
  } catch (error) {
    proxy.fail(error)
    return false
  }
}

/** True if a topic, or one above it, is marked never show. */
export const isNever = (never: readonly string[], path: string) =>
  never.some((above) => path === above || path.startsWith(`${above}/`))
