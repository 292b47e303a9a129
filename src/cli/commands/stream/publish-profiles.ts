import { Type } from "#typebox"
import { escapeFormulasOption, outputOption } from "../../../app/options.ts"
import { readOptions } from "../../../log/read-log.ts"
import { shownProfileOptions } from "../../../methods/profiles/options.ts"
import { isEmptyRelease } from "../../../release/manifest.ts"
import { keepPublished, publishProfiles, readPublished } from "../../../release/publish-profiles.ts"
import { reserveRelease, writeRelease } from "../../../release/write-release.ts"
import type { Profiles } from "../../../stream/store/profiles.ts"
import type { Taxonomy } from "../../../taxonomy/taxonomy.ts"
import { readFileFlags } from "../../file-flags.ts"
import { type Given, required } from "../../flags.ts"
import { emptyCode } from "../../released-text.ts"
import type { Session } from "../../session.ts"

const { groupSize, depth, step, sensitiveCategories } = shownProfileOptions.properties

/** Flags of `stream profiles publish`. */
export const publishFlags = Type.Object({
  output: outputOption("dir", "publish: write the release to this folder"),
  audit: Type.Optional(
    Type.String({ placeholder: "dir", description: "publish: write who is in which profile (private)" }),
  ),
  force: Type.Boolean({ default: false, description: "publish: replace an existing release" }),
  fromStart: Type.Boolean({
    default: false,
    description: "publish: include everything ever shown, not only since the last time",
  }),
  ...escapeFormulasOption.properties,
  unit: readOptions.properties.unit,
  groupSize,
  depth,
  step,
  sensitiveCategories,
})

/** Publishes the profiles of the period since the last publication, or with `fromStart` of everything ever shown. */
export async function publishNow(subject: {
  session: Session
  store: string
  taxonomy: Taxonomy
  profiles: Profiles
  given: Given<typeof publishFlags> & { k?: number; taxonomy?: string }
}): Promise<number> {
  const { session, store, taxonomy, profiles, given } = subject
  const folder = required(given.output, "output")
  const places = {
    ...(given.audit && { audit: given.audit }),
    ...(given.force && { force: given.force }),
    ...(given.escapeFormulas && { escapeFormulas: given.escapeFormulas }),
  }
  await reserveRelease(folder, places)
  const chosen = await readFileFlags(shownProfileOptions, {
    ...(given.k !== undefined && { k: given.k }),
    ...(given.depth !== undefined && { depth: given.depth }),
    ...(given.step !== undefined && { step: given.step }),
    ...(given.groupSize !== undefined && { groupSize: given.groupSize }),
    ...(given.sensitiveCategories !== undefined && { sensitiveCategories: given.sensitiveCategories }),
  })
  const since = given.fromStart === true ? undefined : await readPublished(store, profiles)
  const options = { ...chosen, since, taxonomy: given.taxonomy, unit: given.unit }
  const made = await publishProfiles(profiles, options, { taxonomy, context: session.context })
  const { draft } = made
  const manifest = await writeRelease(draft, folder, { ...places, input: undefined }, session.context)
  await keepPublished(store, made, profiles)
  for (const text of draft.warnings) session.warn(text)
  const { releases } = profiles
  const empty = isEmptyRelease(manifest)
  session.answer("stream-profiles-publish", { folder, manifest, releases, withheld: draft.withheld, empty })
  const period = since === undefined ? "" : ", of what was shown since the last publication"
  session.say(
    [
      manifest.guarantee.statement,
      `Release: ${folder}, as of release ${releases}${period}`,
      ...(given.audit === undefined ? [] : [`Audit: ${given.audit} (private: it says who is in which profile)`]),
    ].join("\n"),
  )
  return empty ? emptyCode : 0
}
