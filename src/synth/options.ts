import { type Static, Type } from "#typebox"
import { QueryveilError } from "../kernels/error.ts"

const most = 4_000_000_000
/** Rows per user of AOL's log. */
export const rowsPerUser = 55.4

/** The size of a synthetic log, as a schema. */
export const synthOptions = Type.Object({
  rows: Type.Integer({ default: 1_000_000, minimum: 1, maximum: most, description: "make this many rows" }),
  users: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: most,
      description: "make this many users (default one for 55.4 rows, as AOL had)",
    }),
  ),
  seed: Type.Integer({
    default: 1,
    minimum: 0,
    description: "draw the log from this seed; the same seed makes the same log",
  }),
  follow: Type.Number({
    default: 0,
    minimum: 0,
    maximum: 1,
    placeholder: "share",
    description: "let this share of later searches in a session be what people usually search next",
  }),
})

/** The size of a synthetic log, and how many secrets are planted in it. */
export interface SynthOptions extends Partial<Static<typeof synthOptions>> {
  /** Share of searches that carry a planted secret. */
  secrets?: number
}

/** The options of a synthetic log, with defaults filled in. */
export interface SynthPlan {
  rows: number
  users: number
  seed: number
  secrets: number
  follow: number
}

/** Fills in the defaults. Every user has at least one row. */
export function planSynth(options: SynthOptions): SynthPlan {
  const { rows = 1_000_000, users, seed = 1, secrets = 0.0005, follow = 0 } = options
  if (!(secrets >= 0 && secrets <= 0.1)) {
    throw new QueryveilError("option-value", "secrets: expected a share from 0 to 0.1.")
  }
  if (!(follow >= 0 && follow <= 1)) throw new QueryveilError("option-value", "follow: expected a share from 0 to 1.")
  const plan = { rows, users: users ?? Math.ceil(rows / rowsPerUser), seed, secrets, follow }
  if (plan.users > rows) {
    const why = `every user needs a row, and there are ${rows}`
    const message = `--users ${plan.users}: ${why}. Use fewer users or more rows.`
    throw new QueryveilError("option-value", message, { flag: "--users" })
  }
  return plan
}
