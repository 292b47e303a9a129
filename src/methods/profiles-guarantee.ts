import { type Static, Type } from "#typebox"
import { counted, notCovered, repeatedPeople } from "./guarantee-parts.ts"
import { type GuaranteeModel, sayK, sayMany } from "./traits.ts"

/**
 * k-anonymity of topic profiles: at least k users share each profile. For each topic in it, at least k of them searched
 * for that topic or one below it.
 */
export const profilesGuaranteeSchema = Type.Object({
  model: Type.Literal("profiles"),
  unit: Type.Literal("user"),
  counted,
  k: Type.Integer({ minimum: 2 }),
  groupSize: Type.Integer({ minimum: 2, description: "users behind a profile, at least" }),
  depth: Type.Integer({ minimum: 1, description: "level of the deepest topic that is shown" }),
  step: Type.Integer({ minimum: 1, maximum: 50, description: "shares are rounded to multiples of this many percent" }),
  source: Type.Enum(["log", "stream"], {
    description: "whose searches are counted: all of a log, or those that a stream released",
  }),
  statement: Type.String(),
  notCovered,
})

/** What is promised about topic profiles, and what is not. */
export type ProfilesGuarantee = Static<typeof profilesGuaranteeSchema>

/** Builds the guarantee of topic profiles for a manifest. */
export function guaranteeProfiles(
  about: Pick<ProfilesGuarantee, "counted" | "k" | "groupSize" | "depth" | "step" | "source">,
): ProfilesGuarantee {
  const { k, groupSize, step, counted, source } = about
  return {
    model: "profiles",
    unit: "user",
    ...about,
    statement: [
      `Each profile is the same for at least ${groupSize} ${counted}s of the log.`,
      `At least ${k} of these ${counted}s searched for each topic in a profile, or for a topic below it.`,
      "Names of profiles are random and occur nowhere else.",
    ].join(" "),
    notCovered: [
      [
        `what all ${counted}s of a profile have in common:`,
        "whoever knows that a person is among them knows it of that person",
      ].join(" "),
      `which profile a person is in: whoever knows a person's topics may find the profile that is nearest to them`,
      [
        `${counted}s of one profile who work together: all but one of them can compute`,
        `the topics of the last one, as far as shares rounded to ${step} % allow`,
      ].join(" "),
      "several releases of one log: their profiles can be compared, though names cannot",
      "whether one person is in the log: counts and shares are not noisy",
      ...(source === "stream" ? ["the rows of the stream: they have a guarantee of their own"] : []),
      repeatedPeople(counted),
    ],
  }
}

/** Shared topic profiles as a guarantee model. */
export const profilesModel: GuaranteeModel<typeof profilesGuaranteeSchema> = {
  name: "profiles",
  releases: "tables",
  schema: profilesGuaranteeSchema,
  traits: (guarantee) => ({
    shows: "profiles",
    shownUnder: "group",
    promised: guarantee.k > 1,
    inWords: sayK(
      guarantee.k,
      [
        `k = ${guarantee.k}: every topic of a profile was searched for`,
        `by at least ${sayMany(guarantee)} who share the profile.`,
      ].join(" "),
    ),
  }),
}
