import { type Static, Type } from "#typebox"
import { groupModes } from "../../methods/groups/options.ts"
import type { Point } from "../study.ts"

/** The grid of the study. */
export const groupsStudyOptions = Type.Object({
  users: Type.Array(Type.Integer({ minimum: 1 }), {
    default: [100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000],
    description: "try these numbers of users, separated by commas; all users are always tried too",
  }),
  k: Type.Array(Type.Integer({ minimum: 1 }), {
    default: [2, 5, 10, 20, 50],
    description: "values of k, separated by commas",
  }),
  delta: Type.Array(Type.Number({ minimum: 0, maximum: 1 }), {
    default: [0, 0.25, 0.5, 0.75],
    description: "values of δ, separated by commas",
  }),
  maxDistance: Type.Array(Type.Number({ minimum: 0, maximum: 1 }), {
    default: [0.5, 0.75, 0.9, 0.95, 1],
    description: "try these largest distances, separated by commas",
  }),
  sample: Type.Integer({
    default: 10_000,
    minimum: 1,
    description: "draw this many users for the curves over k, δ and distance",
  }),
  repeat: Type.Integer({
    default: 3,
    minimum: 1,
    maximum: 1000,
    description: "draw each point this often, with new users and centroids; from 2 on there are intervals",
  }),
  minQueryUsers: Type.Integer({
    default: 1,
    minimum: 1,
    description: "require this many users of a query text and of a url; 1, as in the paper, shows all",
  }),
})

/** The k, δ and largest distance of the curves over another parameter. */
const usual = { k: 10, delta: 0.5, maxDistance: 1 }

/** All points of the study, each `repeat` times. */
export function listPoints(options: Static<typeof groupsStudyOptions>): Point[] {
  const { users, k, delta, maxDistance, sample, repeat, minQueryUsers } = options
  const rising = (values: readonly number[]) => [...new Set(values)].sort((a, b) => a - b)
  const points = groupModes.flatMap((mode) => [
    ...[...rising(users), "all"].map((count) => ({ part: "users", users: count, ...usual, mode })),
    ...rising(k).map((value) => ({ part: "k", users: sample, ...usual, k: value, mode })),
    ...rising(delta).map((value) => ({ part: "delta", users: sample, ...usual, delta: value, mode })),
    ...rising(maxDistance).map((value) => ({ part: "maxDistance", users: sample, ...usual, maxDistance: value, mode })),
  ])
  return points.flatMap((point) =>
    Array.from({ length: repeat }, (_, i): Point => ({ ...point, minQueryUsers, run: i + 1 })),
  )
}
