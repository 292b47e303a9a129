import type { State } from "./answers.ts"
import type { Api } from "./api.ts"

/** What every view needs of the proxy. */
export interface PersonalProxy {
  api: Api
  state: State
  setState(change: (state: State) => State): void
  /** Reports what went wrong at the top of the page. */
  fail(error: unknown): void
  /** Announces a text to screen readers. */
  say(text: string): void
}

/** Marks a topic; resolves to true if that was done. */
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

/** Marks a topic as never shown, or removes that mark; resolves to true if that was done. */
export async function markNever(proxy: PersonalProxy, path: string, never: boolean): Promise<boolean> {
  const name = path.split("/").at(-1)
  try {
    const marks = await proxy.api.setNever({ path, never })
    proxy.setState((state) => ({ ...state, ...marks }))
    proxy.say(never ? `${name} is never shown.` : `${name} may be shown within your limits.`)
    return true
  } catch (error) {
    proxy.fail(error)
    return false
  }
}

/** True if a topic, or one above it, is marked never show. */
export const isNever = (never: readonly string[], path: string) =>
  never.some((above) => path === above || path.startsWith(`${above}/`))
