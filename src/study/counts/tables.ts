import { nameParameter } from "../figures/parameter-names.ts"
import type { Figure, PointResult } from "../study.ts"
import { type Cell, gather, nearest, type Row, tableFigureData } from "../swap/rows.ts"

const paper = "Zhang, Yang & Singh 2016"
/** The ε that the paper gives for its Tables 4 and 5. */
const paperEpsilon = 29.99

const epsilonName = nameParameter("counts", "epsilon")
const deltaName = nameParameter("counts", "delta")
// biome-ignore format: columns
const releaseColumns = [
  "release", epsilonName, deltaName, "queries", "clicks", "transitions", "share of searches", "share of clicks",
]
const answeredColumns = ["release", "algorithm", "asked", "answered", "U(Q)", "U(Q′)", "t-test p", "equivalence p"]
const measureNames: Record<string, string> = { ndcg_cut_10: "nDCG@10", P_5: "P@5", P_10: "P@10", map: "MAP" }

/**
 * The releases that are examined closely, and what each is worth by both algorithms. The second algorithm is also run
 * without its hint.
 */
export function retrievalTables(results: readonly PointResult[]): Figure[] {
  const chosen = chooseReleases(results)
  const sizes = chosen.map(({ name, result }): Row => {
    const [keys] = gather([result], "keys", [])
    const [ofSearches, ofClicks] = [scoreOf(result, "events-shown"), scoreOf(result, "clicks-shown")]
    const shares = { "share of searches": ofSearches, "share of clicks": ofClicks }
    return { release: name, ...privacyOf(result), ...keys, ...shares }
  })
  const compared = chosen.flatMap(({ name, result }) =>
    gather([result], "retrieval", []).map((row): Row => ({ ...row, of: name, measure: nameOf(row.measure) })),
  )
  return [
    {
      id: "releases",
      title: "The releases compared",
      caption: [
        "The paper's setting, the same with the least K of the grid, and the other modes.",
        `The other modes have the ε nearest to the paper's ${paperEpsilon},`,
        "and the ℓ₀ of the grid that covers most clicks (or most searches, if no ℓ₀ covers clicks).",
        "Keys are of one release of the whole log. If all are 0, nothing is released.",
      ].join(" "),
      data: tableFigureData(sizes, releaseColumns),
    },
    comparison(compared, {
      id: "walk",
      ranker: "walk",
      title: "Utility by random walk",
      cites: `${paper}, Table 4`,
      caption: "U(Q) of the log and U(Q′) of the release. Neither contains the users who ask.",
    }),
    comparison(compared, {
      id: "feedback",
      ranker: "feedback",
      title: "Utility by implicit feedback",
      cites: `${paper}, Table 5`,
      caption: "The same. The algorithm uses the ranks of the clicks by which it is judged.",
    }),
    comparison(
      compared.filter(({ measure }) => measure === measureNames.ndcg_cut_10),
      {
        id: "clicks",
        ranker: "clicks",
        title: "Utility by clicks alone",
        caption: "Implicit feedback without the ranks that it takes from the test.",
      },
    ),
    {
      id: "answered",
      title: "Answered queries, and nDCG@10 over these alone",
      caption: [
        "A release is judged here by the queries that it happens to keep. The log's value is over the same queries.",
        "Values are empty if no query is answered, and tests are empty if one is.",
        "The paper may have judged like this; it does not say.",
      ].join(" "),
      data: tableFigureData(answeredRows(compared), answeredColumns),
    },
  ]
}

const nameOf = (measure: Cell | undefined) => measureNames[String(measure)] ?? ""

function comparison(
  compared: readonly Row[],
  { ranker, caption, ...figure }: Omit<Figure, "data" | "plot"> & { ranker: string },
): Figure {
  const rows = compared
    .filter((row) => row.ranker === ranker && row.over === "all")
    .map(
      ({
        of = "",
        measure = "",
        original = 0,
        release = 0,
        difference = 0,
        low = "",
        high = "",
        p = "",
        ...row
      }): Row => {
        const tests = { "t-test p": p, "equivalence p": row.equivalence ?? "" }
        return { release: of, measure, "U(Q)": original, "U(Q′)": release, difference, low, high, ...tests }
      },
    )
  const columns = ["release", "measure", "U(Q)", "U(Q′)", "difference", "low", "high", "t-test p", "equivalence p"]
  const tests = [
    "low and high are the 95 % interval of the difference.",
    "The p values are of the paired two-sided t-test, and of the two one-sided tests of equivalence.",
  ].join(" ")
  return { ...figure, caption: `${caption} ${tests}`, data: tableFigureData(rows, columns) }
}

function answeredRows(compared: readonly Row[]): Row[] {
  const gains = compared.filter((row) => row.measure === measureNames.ndcg_cut_10)
  return gains
    .filter(({ over }) => over === "all")
    .map((all): Row => {
      const found = gains.find((row) => row.of === all.of && row.ranker === all.ranker && row.over === "answered")
      const n = Number(found?.n ?? 0)
      const tests = { "t-test p": found?.p ?? "", "equivalence p": found?.equivalence ?? "" }
      const values = n === 0 ? {} : { "U(Q)": found?.original ?? 0, "U(Q′)": found?.release ?? 0, ...tests }
      return { release: all.of ?? "", algorithm: all.ranker ?? "", asked: all.n ?? 0, answered: n, ...values }
    })
}

interface Chosen {
  name: string
  result: PointResult
}

function chooseReleases(results: readonly PointResult[]): Chosen[] {
  const published = results
    .filter(({ point }) => point.part === "tables")
    .map((result) => {
      const { noiseScale, cutoff, pool } = result.point
      return { name: `paper, b = ${noiseScale}, K = ${cutoff}${pool === undefined ? "" : ", with the pool"}`, result }
    })
  const others = results.filter(({ point }) => point.part === "epsilon" && point.mode !== "paper")
  const epsilon = nearest(
    others.map(({ point }): Row => ({ epsilon: Number(point.epsilon) })),
    "epsilon",
    paperEpsilon,
  )
  const best = [...new Set(others.map(({ point }) => point.mode))].flatMap((mode): Chosen[] => {
    const own = others.filter(({ point }) => point.mode === mode && point.epsilon === epsilon)
    const more = (name: string) => (a: PointResult, b: PointResult) => scoreOf(b, name) - scoreOf(a, name)
    const [result] = [...own].sort((a, b) => more("clicks-shown")(a, b) || more("events-shown")(a, b))
    const bound = mode === "korolova" ? "d" : "ℓ₀"
    return result === undefined ? [] : [{ name: `${mode}, ${bound} = ${result.point.maxKeys}`, result }]
  })
  return [...published.reverse(), ...best]
}

const scoreOf = ({ scores }: PointResult, wanted: string) => scores.find(({ name }) => name === wanted)?.value ?? 0

/** ε and δ as the ledger of the release would record them. For the paper's algorithm, what composition would cost. */
function privacyOf({ point }: PointResult): Row {
  const row = (epsilon: number, delta: number) => ({ [epsilonName]: epsilon, [deltaName]: delta })
  if (point.mode !== "paper") return row(Number(point.epsilon), Number(point.delta ?? 0))
  const { firstQueries, firstClicks, noiseScale } = point
  return row((2 * Number(firstQueries) - 1 + Number(firstClicks)) / Number(noiseScale), 1)
}
