import type { screenNames } from "../../src/app/project/studio-schema.ts"
import type { Job, StudioState } from "./answers.ts"
import type { Api } from "./api.ts"

/** One of the eight screens. */
export type ScreenName = (typeof screenNames)[number]

/** What every screen gets from the page. */
export interface Studio {
  api: Api
  state: StudioState
  /** Replaces the state after a change that answered with one. */
  setState(state: StudioState): void
  /** Asks the server for the state again. */
  reload(): void
  /** Goes to a screen. */
  go(screen: ScreenName): void
  /** Shows an error at the top of the page. */
  fail(error: unknown): void
  /** Says something to a screen reader, and at the bottom of the page. */
  say(text: string): void
  /** The newest job of a kind, with its progress. */
  jobOf(kind: Job["kind"]): Job | undefined
  /** Rises when the server says that points of the frontier, or the register, have changed. */
  changes: { points: number; register: number }
}
