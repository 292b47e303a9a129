import type { Command } from "commander"
import { Type } from "#typebox"
import { QueryveilError } from "../../../kernels/error.ts"
import { dayOf } from "../../../personal/interests.ts"
import { countStillShown, forgetDay, forgetTopic } from "../../../personal/personal-store.ts"
import { defineCommand } from "../../define-command.ts"
import { openProfile, profileArgument, profileFlags } from "./open-profile.ts"

/** `personal forget PROFILE --topic PATH | --day DATE | --history` */
export function forgetCommand(): Command {
  return defineCommand({
    name: "forget",
    summary: "remove a topic, a day or the history of exposures from a profile",
    argument: profileArgument,
    flags: Type.Object({
      topic: Type.Optional(
        Type.String({
          placeholder: "path",
          description: "remove a topic and all below it, with the exposures that name it",
        }),
      ),
      day: Type.Optional(
        Type.String({
          placeholder: "date",
          description: "remove what was learned and exposed on a day (UTC), for example 2006-03-01",
        }),
      ),
      history: Type.Boolean({ description: "remove all exposures" }),
      ...profileFlags.properties,
    }),
    async run(session, flags, [path = ""]) {
      const { topic: name, day, history } = flags
      if (name === undefined && day === undefined && history !== true)
        throw new QueryveilError("usage", "Nothing to forget was named. Give --topic, --day or --history.")
      const seconds = day === undefined ? 0 : Date.parse(`${day}T00:00:00Z`) / 1000
      // JavaScript reads the 31st of February as the 3rd of March.
      if (
        !Number.isFinite(seconds) ||
        (day !== undefined && new Date(seconds * 1000).toISOString().slice(0, 10) !== day)
      )
        throw new QueryveilError("option-value", "--day is not a date. Write it as 2006-03-01.", { flag: "--day" })
      const { taxonomy, file } = await openProfile(path, flags, session)
      const { store } = file
      const gone = { documents: 0, exposures: 0 }
      const add = ({ documents = 0, exposures = 0 }) => {
        gone.documents += documents
        gone.exposures += exposures
      }
      if (name !== undefined) {
        const topic = taxonomy.find(name)
        if (topic < 0)
          throw new QueryveilError("unknown-name", "The taxonomy has no topic with this path.", {
            flag: "--topic",
          })
        add(forgetTopic(store, topic))
      }
      if (day !== undefined) add(forgetDay(store, dayOf(seconds)))
      if (history === true) add({ exposures: store.history.delete(() => true) })
      await file.save()
      const stillShown = countStillShown(store, name ?? "")
      session.answer("personal-forget", { file: path, ...gone, stillShown })
      session.say(`${path}: forgot ${gone.documents} documents and ${gone.exposures} exposures.`)
      if (stillShown > 0) {
        const what = name === undefined ? "topics" : "of the forgotten topics"
        session.note(
          `Engines were shown ${stillShown} ${what}. ` +
            "Their names stay in the profile, because the lifetime bound still counts them.",
        )
      }
      return 0
    },
  })
}
