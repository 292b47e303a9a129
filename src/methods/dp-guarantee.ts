import { type Static, Type } from "#typebox"
import { count, plain } from "../kernels/number-words.ts"
import { type Unit, units } from "../log/search-log.ts"
import type { GuaranteeModel } from "./traits.ts"

/** A number of a proof, written exactly: an integer, or a fraction such as "1/3000000". */
const exact = Type.String({ pattern: "^[0-9]+(/[1-9][0-9]*)?$" })

const noises = ["discrete-laplace", "truncated-geometric"] as const

/** One mechanism of a ledger: the noise on the counts of one table, and the rule for which counts are shown. */
const dpMechanism = Type.Object({
  table: Type.String(),
  unit: Type.Enum([...units], { description: "whose presence is hidden" }),
  keys: Type.Enum(["log", "public"], { description: "where the keys come from: the log itself, or a public list" }),
  noise: Type.Enum([...noises]),
  l0: Type.Integer({ minimum: 1, description: "most keys that one unit counts for" }),
  perKey: Type.Integer({ minimum: 1, description: "most that one unit adds to one key" }),
  l1: Type.Integer({ minimum: 1, description: "most that one unit changes all counts by, together" }),
  scale: exact,
  minUsers: Type.Integer({ minimum: 0, description: "units that a key of the log needs, exactly counted" }),
  tau: Type.Union([Type.Integer(), Type.Null()], { description: "least noisy count of a key without minUsers" }),
  threshold: Type.Union([Type.Integer(), Type.Null()], { description: "least noisy count that is shown" }),
  epsilon: exact,
  delta: exact,
  selection: Type.Optional(
    Type.Object(
      { scale: exact, threshold: Type.Integer() },
      { description: "separate noise that decides which keys are shown; the counts have their own" },
    ),
  ),
})

/** Differential privacy: the release is nearly as likely without any one unit of the log. */
export const dpGuaranteeSchema = Type.Object({
  model: Type.Literal("dp"),
  unit: Type.Enum([...units]),
  mode: Type.Enum(["approximate", "pure", "korolova", "paper"]),
  epsilon: exact,
  delta: exact,
  pool: Type.String({ description: "public keys: none, wordnet, or the digest of a list" }),
  mechanisms: Type.Array(dpMechanism),
  composition: Type.String(),
  parametersChosenOnData: Type.Boolean(),
  statement: Type.String(),
  notCovered: Type.Array(Type.String(), { description: "what the guarantee does not protect from" }),
})

export type DpMechanism = Static<typeof dpMechanism>
/** (ε, δ)-differential privacy of a user's bounded activity, as far as it is proved. */
export type DpGuarantee = Static<typeof dpGuaranteeSchema>
type DpMode = DpGuarantee["mode"]

interface Promised {
  unit: Unit
  mode: DpMode
  epsilon: string
  delta: string
  pool: string
  mechanisms: DpMechanism[]
  parametersChosenOnData: boolean
}

/** Builds the differential privacy guarantee, in the wording that every manifest uses. */
export function dpGuarantee(promised: Promised): DpGuarantee {
  const { unit, mode, epsilon, delta, pool, mechanisms, parametersChosenOnData } = promised
  return {
    model: "dp",
    unit,
    mode,
    epsilon,
    delta,
    pool,
    mechanisms,
    composition: mode === "paper" ? paperComposition : "sum",
    parametersChosenOnData,
    statement: state(promised),
    notCovered: [
      "what is true of many people: a common query and its count are published because they are common",
      "several releases of one log: their ε and δ add up",
      ...(unit === "user"
        ? ["a person with several accounts: each account is hidden, not all of them together"]
        : ["people who come back: one session is hidden, not all sessions of a person"]),
      ...(parametersChosenOnData
        ? ["what the choice of the parameters says of the log: they were chosen by looking at it"]
        : []),
      ...(mode === "paper" ? [paperGap] : []),
    ],
  }
}

const paperComposition =
  "as published: noise of one scale on every count, and the sum of what each table would cost if its keys were public"

const paperGap = [
  "whose keys are shown: queries come from the log itself, filters read raw counts,",
  "and every click and transition among the released queries appears with certainty,",
  "so one person's may appear: δ = 1",
].join(" ")

function state({ unit, mode, epsilon, delta }: Promised): string {
  if (mode === "paper")
    return [
      `As published, with noise that would cost ε = ${epsilon} if every key were public.`,
      "No differential privacy is proved: δ = 1.",
    ].join(" ")
  const cost = mode === "pure" ? `ε = ${epsilon}, δ = 0` : `ε = ${epsilon}, δ = ${delta}`
  return [
    `Differential privacy for one ${unit}: whatever the release shows, it would be nearly as likely`,
    `without all rows of any one ${unit} (${cost}).`,
  ].join(" ")
}

/** A double close to an exact number of a ledger, such as "3/7" or "2". */
export function ledgerNumber(text: string): number {
  const [top, bottom = 1n] = text.split("/").map(BigInt)
  return Number(top / bottom) + Number(((top % bottom) << 1000n) / bottom) / 2 ** 1000
}

/** Differential privacy as a guarantee model. */
export const dpModel: GuaranteeModel<typeof dpGuaranteeSchema> = {
  name: "dp",
  releases: "tables",
  schema: dpGuaranteeSchema,
  traits: (guarantee) => ({
    shows: "counts",
    shownUnder: "searcher",
    promised: guarantee.mode !== "paper",
    inWords: sayEpsilon(guarantee),
    noise: guarantee,
  }),
}

function sayEpsilon({ mode, unit, epsilon: exactEpsilon, delta: exactDelta }: DpGuarantee): string[] {
  if (mode === "paper") return ["δ = 1: nothing is promised. Any person's search may be shown."]
  const [epsilon, delta] = [ledgerNumber(exactEpsilon), ledgerNumber(exactDelta)]
  return [
    [
      `ε = ${plain(epsilon)}: with or without any one ${unit}, the chance of whatever the release shows`,
      "differs by a factor of at most",
      `${epsilon > 20 ? `e^${plain(epsilon)}, which is no protection to speak of` : plain(Math.exp(epsilon))}.`,
    ].join(" "),
    delta === 0
      ? "δ = 0: and by nothing else."
      : `δ = ${delta.toPrecision(2)}: and besides that factor by at most 1 in ${count(1 / delta)}.`,
  ]
}
