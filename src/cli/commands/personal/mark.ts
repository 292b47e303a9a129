import type { Command } from "commander"
import { Type } from "#typebox"
import { commandLine } from "../../../app/shell-words.ts"
import { QueryveilError } from "../../../kernels/error.ts"
import { tableOf } from "../../../kernels/table.ts"
import { costLayer } from "../../../personal/cost-layer.ts"
import { profileWithout } from "../../../personal/never-topics.ts"
import { markNever, markSensitive, type PersonalStore } from "../../../personal/personal-store.ts"
import { proposeSensitive } from "../../../personal/propose-sensitive.ts"
import { readChoices } from "../../../personal/proxy/choices.ts"
import { noRisk } from "../../../personal/proxy/exposed.ts"
import { shownInFull } from "../../../personal/shown-in-full.ts"
import { defineCommand } from "../../define-command.ts"
import type { Given } from "../../flags.ts"
import { textTable } from "../../print.ts"
import { openProfile, profileArgument, profileFlags } from "./open-profile.ts"
import { sayInFull } from "./say-marks.ts"

const paths = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { words: true, placeholder: "path", description }))

const markFlags = Type.Object({
  sensitive: paths("mark these topics sensitive"),
  sensitivity: Type.Number({
    exclusiveMinimum: 0,
    default: 1,
    description: "give them this sensitivity; only ratios matter",
  }),
  never: paths("never show these topics, nor anything below them"),
  clear: paths("remove all marks of these topics"),
  proposed: Type.Boolean({ description: "mark every proposed topic as sensitive" }),
  ...profileFlags.properties,
})

/** `personal mark PROFILE [--sensitive PATH…] [--never PATH…] [--clear PATH…]` */
export function markCommand(): Command {
  return defineCommand({
    name: "mark",
    summary: "mark topics sensitive or never show; without flags, list marks and proposals",
    argument: profileArgument,
    flags: markFlags,
    async run(session, flags, [path = ""]) {
      const { file } = await openProfile(path, flags, session)
      const { store } = file
      if (applyMarks(store, flags)) await file.save()
      const answer = describeMarks(store)
      session.answer("personal-mark", { file: path, ...answer })
      session.say(textTable(tableOf(["mark", "topic"], rowsOf(answer))))
      if (answer.proposals.length > 0)
        session.say(`\nMark what is proposed: ${commandLine("personal mark", path, { proposed: true })}`)
      if (!answer.riskIsCounted) session.warn(`${noRisk}.`)
      if (answer.inFull.length > 0) session.warn(sayInFull(answer.inFull, answer.bound))
      return 0
    },
  })
}

/** Applies the marks. Returns true if any flag asked for a change. */
function applyMarks(store: PersonalStore, flags: Given<typeof markFlags>): boolean {
  const { taxonomy } = store.interests
  const { sensitive = [], never = [], clear = [], sensitivity = 1 } = flags
  const topicOf = (path: string, flag: string) => {
    const topic = taxonomy.find(path)
    if (topic > 0) return topic
    throw new QueryveilError("unknown-name", "The taxonomy has no topic with this path.", { flag })
  }
  for (const path of clear) {
    const topic = topicOf(path, "--clear")
    markSensitive(store, topic, 0)
    if (!markNever(store, topic, false))
      throw new QueryveilError("topics-broken", "A topic above it is marked never show. Clear the mark there.", {
        flag: "--clear",
      })
  }
  const proposed = flags.proposed === true ? proposeSensitive(store).map((proposal) => proposal.path) : []
  for (const path of [...sensitive, ...proposed]) markSensitive(store, topicOf(path, "--sensitive"), sensitivity)
  for (const path of never) markNever(store, topicOf(path, "--never"), true)
  return sensitive.length + never.length + clear.length + proposed.length > 0
}

/** The marks, topics that may be sensitive by their names, and what the stored bounds allow. */
function describeMarks(store: PersonalStore) {
  const { taxonomy } = store.interests
  const costs = costLayer(profileWithout(store.interests.profile(), store.never), store.sensitive)
  const { delta, sessionDelta, lifetimeDelta } = readChoices(store.settings)
  const bound = Math.min(delta, sessionDelta, lifetimeDelta)
  return {
    sensitive: Array.from(store.sensitive.topic, (topic, i) => ({
      path: taxonomy.path(topic),
      sensitivity: store.sensitive.sensitivity[i] ?? 0,
    })),
    never: Array.from(store.never, (topic) => taxonomy.path(topic)),
    proposals: proposeSensitive(store),
    riskIsCounted: costs.total > 0,
    bound,
    inFull: shownInFull(costs, [bound]),
  }
}

function rowsOf({ sensitive, never, proposals }: ReturnType<typeof describeMarks>): string[][] {
  return [
    ...sensitive.map(({ path, sensitivity }) => [`sensitive ${sensitivity}`, path]),
    ...never.map((path) => ["never show", path]),
    ...proposals.map(({ kind, path }) => [`proposed: ${kind}`, path]),
  ]
}
