import { type Static, Type } from "#typebox"
import type { Unit } from "../log/search-log.ts"
import { counted, notCovered, repeatedPeople } from "./guarantee-parts.ts"
import { type GuaranteeModel, sayK } from "./traits.ts"

/** k^δ-anonymity: every user is in a group of at least k whose members have the same matrix of clusters and urls. */
export const groupsGuaranteeSchema = Type.Object({
  model: Type.Literal("groups"),
  unit: Type.Literal("user"),
  counted,
  k: Type.Integer({ minimum: 1 }),
  delta: Type.Number({ minimum: 0, maximum: 1 }),
  mode: Type.Enum(["identical", "exact", "paper", "totals"]),
  maxDistance: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: "how far a member was from its centroid at most, before anything was changed",
    }),
  ),
  remains: Type.Optional(
    Type.Object(
      {
        distance: Type.Number({ minimum: 0, maximum: 1 }),
        change: Type.Integer({ minimum: 0 }),
      },
      { description: "the largest distance between a member and its centroid, and the largest change of a total" },
    ),
  ),
  times: Type.Optional(
    Type.Literal("public", {
      description: "times that are not a member's own are those of periods in which k users clicked (not so in 0.1)",
    }),
  ),
  statement: Type.String(),
  notCovered,
})

const namesAreSessions = "A name is a session, and those of one person may be in one group."

type GroupsMode = Static<typeof groupsGuaranteeSchema>["mode"]

/**
 * Builds the guarantee of k^δ-anonymity, in the wording that every manifest uses. `distance` and `change` are used only
 * in modes `paper` and `totals`.
 */
export function groupsGuarantee({
  k,
  delta,
  mode,
  maxDistance = 1,
  counted,
  distance,
  change,
}: {
  k: number
  delta: number
  mode: GroupsMode
  maxDistance?: number
  counted: Unit
  distance: number
  change: number
}): Static<typeof groupsGuaranteeSchema> {
  const others = `${k - 1} ${k === 2 ? "other" : "others"}`
  const matrix = `share of searches in each pair of a query cluster (of diameter at most ${delta}) and a clicked url`
  const nearly = [
    `Every name in the release is in a group of at least ${k}.`,
    `Its ${matrix} is at most ${distance} from that of the group's centroid,`,
    "on a scale from 0 (the same) to 1 (nothing in common).",
  ].join(" ")
  const statements = {
    identical: [
      `Every name in the release has at least ${others}`,
      "with the same query texts, clicked urls and times, each as often.",
    ].join(" "),
    exact: `Every name in the release has at least ${others} with the same ${matrix}.`,
    paper: nearly,
    totals: nearly,
  }
  const isNearly = mode === "paper" || mode === "totals"
  return {
    model: "groups",
    unit: "user",
    counted,
    k,
    delta,
    mode,
    ...(maxDistance < 1 && { maxDistance }),
    ...(isNearly && { remains: { distance, change } }),
    times: "public",
    statement: counted === "user" ? statements[mode] : `${statements[mode]} ${namesAreSessions}`,
    notCovered: [
      [
        "what the centroid of a group searched for: every member shows it,",
        "so an attacker who knows a few of a centroid's searches may find the group by them and read the rest",
      ].join(" "),
      [
        "a group whose members all searched for the same:",
        "an attacker who knows that someone is among them knows it of that person",
      ].join(" "),
      "a query cluster that is sensitive by itself",
      ...(mode === "identical"
        ? []
        : ["the texts and times by which the members of a group still differ, and how much each searched"]),
      ...(isNearly ? ["the differences that the rounding leaves: they can distinguish the members of a group"] : []),
      ...(maxDistance < 1
        ? [
            [
              "that a user of the log is left out: an attacker who knows",
              "that someone is in the log and not in the release knows that they are like nobody",
            ].join(" "),
          ]
        : []),
      repeatedPeople(counted),
    ],
  }
}

/** k^δ-anonymity as a guarantee model. */
export const groupsModel: GuaranteeModel<typeof groupsGuaranteeSchema> = {
  name: "groups",
  releases: "rows",
  schema: groupsGuaranteeSchema,
  traits: ({ k, mode }) => ({
    shows: "queries",
    shownUnder: "group",
    promised: k > 1,
    inWords: sayK(
      k,
      [
        `k = ${k}: every name in the release is one of at least ${k}`,
        mode === "paper" || mode === "totals" ? "that look nearly alike." : "that look alike.",
      ].join(" "),
    ),
  }),
}
