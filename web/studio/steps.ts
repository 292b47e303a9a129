import type { StudioState } from "./answers.ts"
import type { ScreenName } from "./studio.ts"

/** `open`: can be worked on. `closed`: another step comes first. `stale`: made from earlier settings. */
export type StepStatus = "done" | "stale" | "open" | "closed"

/** A step of the work, as the navigation shows it. */
export interface Step {
  screen: ScreenName
  title: string
  /** What the step is for, in a sentence. */
  says: string
  status: StepStatus
  /** The step that must come first, if this one is closed. */
  needs?: ScreenName
}

const titles = {
  log: ["Log", "Choose the log, and say what one person is in it."],
  exposure: ["Exposure", "See what the log would show about people."],
  purpose: ["Purpose", "Say what the release is for, and which risk you accept."],
  explore: ["Explore", "Compare ways to make the release, and choose one."],
  preview: ["Preview", "Look at a draft as its reader would."],
  check: ["Check", "Make the release, and let queryveil attack it."],
  sign: ["Sign", "Decide whether the release may leave."],
  register: ["Register", "Past releases, what they cost, and handing them out."],
} as const satisfies Record<ScreenName, readonly [string, string]>

const screens = Object.keys(titles) as ScreenName[]

/** The screen that an address names; undefined if it names none. */
export const screenOf = (hash: string): ScreenName | undefined => screens.find((screen) => `#${screen}` === hash)

/** True if the log was read, from these files as they are now. */
const isRead = ({ log }: StudioState) =>
  log !== null && log.read !== null && !log.read.stale && log.files.every(({ state }) => state === "same")

/** What must come before a screen, in the order in which it is asked for. */
function missing(screen: ScreenName, state: StudioState): ScreenName | undefined {
  const wants: Partial<Record<ScreenName, readonly ScreenName[]>> = {
    exposure: ["log"],
    purpose: ["log"],
    explore: ["log", "purpose"],
    preview: ["log", "purpose", "explore"],
    check: ["log", "purpose", "explore"],
    sign: ["check"],
  }
  const has: Partial<Record<ScreenName, boolean>> = {
    log: (state.log?.read ?? null) !== null,
    purpose: state.purpose !== null,
    explore: state.choice !== null,
    check: state.releases > 0,
  }
  return wants[screen]?.find((other) => has[other] !== true)
}

function statusOf(screen: ScreenName, state: StudioState): StepStatus {
  const ofProduct = (product: { stale: boolean } | null): StepStatus =>
    product === null ? "open" : product.stale ? "stale" : "done"
  switch (screen) {
    case "log":
      return isRead(state) ? "done" : (state.log?.read ?? null) === null ? "open" : "stale"
    case "exposure":
      return ofProduct(state.exposure)
    case "purpose":
      return state.purpose === null ? "open" : "done"
    case "explore": {
      const points = ofProduct(state.explore.whole ?? state.explore.sample)
      return points === "stale" ? "stale" : state.choice === null ? "open" : "done"
    }
    case "preview":
      return ofProduct(state.draft)
    case "check":
      return state.releases > 0 ? "done" : "open"
    default:
      return "open"
  }
}

/** The steps of the work with what is done, what is stale and what must wait. */
export function stepsOf(state: StudioState): Step[] {
  return screens.map((screen) => {
    const [title, says] = titles[screen]
    const needs = missing(screen, state)
    return needs === undefined
      ? { screen, title, says, status: statusOf(screen, state) }
      : { screen, title, says, status: "closed", needs }
  })
}

/** The first step that is not done: where the work goes on. */
export function nextStep(state: StudioState): ScreenName {
  return stepsOf(state).find(({ status }) => status === "open" || status === "stale")?.screen ?? "register"
}

/** The name of a project: the last part of its folder. */
export const projectName = (folder: string) => folder.split(/[/\\]/).findLast((part) => part !== "") ?? folder
