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
    const { sensitive } = await proxy.api.setSensitive({ path, sensitivity })
    proxy.setState((state) => ({ ...state, sensitive }))
    proxy.say(sensitivity > 0 ? `${name} is sensitive, ${sensitivity}.` : `${name} is no longer sensitive.`)
    return true
  } catch (error) {
    proxy.fail(error)
    return false
  }
}
