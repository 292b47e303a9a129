import type { Figure, PointResult } from "../study.ts"
import { lifetimesFigure } from "./lifetimes.ts"
import { repairFigures } from "./repairs.ts"
import { type Cell, gather, nameK, nearest, panelFigure, type Row, tableFigureData } from "./rows.ts"
import { compareWithTheory, cumulativeCurves } from "./theory.ts"

const paper = "Pàmies-Estrems et al. 2020"

const settingOf = ({ mode, k, depth }: Row) => `${mode} ${k} ${depth}`

// biome-ignore format: columns
const linkageColumns = [
  "mode", "k", "depth", "attacker", "share", "low", "high", "records", "named", "shareOfNamed", "lowOfNamed",
  "highOfNamed", "bound",
]

const nameDepth = (depth: Cell) => `ℓ = ${depth}`

/** Every figure of the paper that the results have data for, then the failures and their repairs. */
export function swapFigures(results: readonly PointResult[]): Figure[] {
  const figures = [
    lifetimesFigure(results),
    ...linkageFigures(results),
    ...streamFigures(results),
    ...lossFigures(results),
    wrongFigure(results),
    ...costFigures(results),
    ...repairFigures(results),
  ]
  return figures.filter(({ data }) => data.rows > 0)
}

function linkageFigures(results: readonly PointResult[]): Figure[] {
  // A setting that released nothing says nothing about re-identification. It must not count as a share of 0.
  const all = gather(results, "linkage")
    .filter(({ records }) => Number(records) > 0)
    .map((row): Row => ({ ...row, bound: 1 / Number(row.k) }))
  // An attacker who names nobody in a mode has nothing to show there. Two of the attackers compare cells, which paper
  // mode does not have.
  const rows = all.filter(({ mode, attacker }) =>
    all.some((row) => row.mode === mode && row.attacker === attacker && Number(row.named) > 0),
  )
  const modes = ["paper", "strict"]
  return [
    ...modes.map((mode) =>
      panelFigure({
        id: `linkage-${mode}`,
        title: `Records given back to their user, ${mode} mode`,
        cites: `${paper}, Fig. 6 (the first three)`,
        caption: [
          "Share of all released records that each attacker gives back to the user who issued them,",
          "by the depth ℓ of the topics. The dashed line of the same colour is 1/k.",
          "The attackers see the live stream in its own order, and know k and ℓ.",
          "Heights are by cube root.",
        ].join(" "),
        rows: rows.filter((row) => row.mode === mode),
        keep: linkageColumns,
        draw: {
          x: "depth",
          y: "share",
          series: "k",
          nameOf: nameK,
          panel: "attacker",
          dashed: "bound",
          xLabel: "depth ℓ",
          yLabel: "share of records",
          yScale: "root",
        },
      }),
    ),
    ...modes.map((mode) =>
      panelFigure({
        id: `distribution-${mode}`,
        title: `Measured shares and 1/k, cumulative, ${mode} mode`,
        cites: `${paper}, Fig. 7`,
        caption: [
          "The fraction of all combinations of k and ℓ in which the share is at most the value on the axis.",
          "The dashed curve is what 1/k would give. A curve to the left of it is safer than 1/k.",
          "Shares are by cube root.",
        ].join(" "),
        rows: cumulativeCurves(rows.filter((row) => row.mode === mode)),
        keep: ["attacker", "curve", "share", "fraction"],
        draw: {
          x: "share",
          y: "fraction",
          series: "curve",
          panel: "attacker",
          xLabel: "share of records",
          yLabel: "fraction of (k, ℓ)",
          xScale: "root",
          isStep: true,
          theory: "1/k",
        },
      }),
    ),
    {
      id: "kolmogorov-smirnov",
      title: "Measured shares against 1/k: Kolmogorov–Smirnov test of two samples",
      cites: `${paper}, Fig. 7 (there D = 0.08, p = 0.9977)`,
      caption: [
        "D is the largest distance between the cumulative curves above.",
        "p is the chance of a distance as large if both came from one distribution (with ties, an upper bound).",
        "The test is two-sided and looks at the whole grid at once.",
        "A small p may mean much safer than 1/k. A large p does not mean that no single setting is over 1/k.",
        "The last two columns are therefore the number of settings, and of those among them",
        "whose share of the named records has an interval wholly over 1/k.",
        "Of settings that are exactly at 1/k, one in forty would have such an interval by chance.",
      ].join(" "),
      ...compareWithTheory(rows),
    },
  ]
}

function streamFigures(results: readonly PointResult[]): Figure[] {
  const flow = gather(results, "flow")
  const left = new Set(flow.filter(({ output }) => Number(output) > 0).map(settingOf))
  const sizes = gather(results, "sizes")
  const k = nearest(flow, "k", 10)
  const overStream = { x: "input", series: "depth", nameOf: nameDepth, panel: "mode", columns: 2 }
  const overDepth = { x: "depth", series: "k", nameOf: nameK, panel: "mode", columns: 2, xLabel: "depth ℓ" }
  const only = (row: Row) => row.k === k
  const keep = ["mode", "k", "depth", "input", "output", "waiting", "delay", "hours"]
  return [
    panelFigure({
      id: "waiting",
      title: "Records that wait in a topic when the log ends: mean |Q|",
      cites: `${paper}, Fig. 8`,
      caption: "Mean over the topics in which any record waits.",
      rows: sizes,
      keep: ["mode", "k", "depth", "meanQ", "categories"],
      draw: { ...overDepth, y: "meanQ", yLabel: "records per topic", yScale: "log" },
    }),
    panelFigure({
      id: "output",
      title: `Output over input as the stream grows, k = ${k}`,
      cites: `${paper}, Fig. 9`,
      caption: "Share of the records so far that have left. The CSV has every k.",
      rows: flow,
      keep,
      draw: { ...overStream, y: "output", xLabel: "records so far", yLabel: "share that has left", only },
    }),
    panelFigure({
      id: "withheld",
      title: `What leaves and what does not, by depth, k = ${k}`,
      caption: [
        "Shares of the records with a topic: those that left, those that still waited when the log ended,",
        "repeats of what had been released (strict mode), and those over their user's backlog (strict mode).",
        "The CSV has every k.",
      ].join(" "),
      rows: sizes.flatMap((row) =>
        ["released", "waiting", "repeated", "overBacklog"].map((what): Row => {
          const { mode = "", k: value = 0, depth = 0 } = row
          return { mode, k: value, depth, what: what === "overBacklog" ? "over backlog" : what, share: row[what] ?? 0 }
        }),
      ),
      keep: ["mode", "k", "depth", "what", "share"],
      draw: { ...overDepth, series: "what", nameOf: String, y: "share", yLabel: "share of records", only },
    }),
    panelFigure({
      id: "delay",
      title: `Delay as the stream grows, k = ${k}`,
      cites: `${paper}, Fig. 13`,
      caption: [
        "How many other records came while a record waited:",
        "the mean over the records that left in this twentieth of the stream.",
        "The delay grows with the length of the log as long as topics fill.",
        "The CSV has every k, and hours too.",
      ].join(" "),
      rows: flow,
      keep,
      draw: {
        ...overStream,
        y: "delay",
        xLabel: "records so far",
        yLabel: "records that came meanwhile",
        yScale: "log",
        only: (row) => only(row) && left.has(settingOf(row)),
      },
    }),
    panelFigure({
      id: "delay-hours",
      title: "Delay in hours, by depth and k",
      caption: [
        "Mean over all records that left, by the log's own clock. The fewer searches an hour, the longer the delay.",
        "Settings in which nothing left are not shown.",
      ].join(" "),
      rows: sizes.filter(({ released }) => Number(released) > 0),
      keep: ["mode", "k", "depth", "delay", "hours"],
      draw: { ...overDepth, y: "hours", yLabel: "hours", yScale: "log" },
    }),
  ]
}

/** Fig. 10: distances, their maximum, and their share of the maximum. Settings that released nothing are not shown. */
function lossFigures(results: readonly PointResult[]): Figure[] {
  const depths = gather(results, "depths", [])
  const loss = gather(results, "loss").filter(({ records }) => Number(records) > 0)
  const measured = (of: string, column: string, name: string) =>
    loss.map((row): Row => {
      return { k: row.k ?? 0, depth: row.depth ?? 0, loss: `${of}, ${row.mode}`, [name]: row[column] ?? 0 }
    })
  const draw = { x: "depth", series: "k", nameOf: nameK, panel: "loss", columns: 2, xLabel: "depth ℓ" }
  const what = [
    "Pairs: from a record to the one whose user it is shown with.",
    "Profiles: from what a user's records say before to what they say after (earth mover's distance).",
  ].join(" ")
  return [
    panelFigure({
      id: "distances",
      title: "Distances in the tree of topics, by depth",
      cites: `${paper}, Fig. 10 (a)`,
      caption: [
        `Mean number of edges. ${what}`,
        "The dashed line is the longest way: from one search to the root and on to another.",
        "It depends on neither k nor ℓ.",
        "Expected: all records, each in the place of any record of its topic, its own included.",
      ].join(" "),
      rows: [
        ...depths.map(({ depth = 0, edges = 0 }): Row => ({ k: "any", depth, loss: "pairs, expected", edges })),
        ...measured("pairs", "pairEdges", "edges"),
        ...measured("profiles", "profileEdges", "edges"),
      ].map((row) => ({ ...row, longest: depths[0]?.longest ?? 0 })),
      keep: ["k", "depth", "loss", "edges", "longest"],
      draw: { ...draw, y: "edges", yLabel: "edges", dashed: "longest" },
    }),
    panelFigure({
      id: "loss",
      title: "Loss of utility, by depth",
      cites: `${paper}, Fig. 10 (b)`,
      caption: `Mean number of edges, as a share of the longest way. ${what}`,
      rows: [
        ...depths.map(({ depth = 0, share = 0 }): Row => ({ k: "any", depth, loss: "pairs, expected", share })),
        ...measured("pairs", "pairs", "share"),
        ...measured("profiles", "profiles", "share"),
      ],
      keep: ["k", "depth", "loss", "share"],
      draw: { ...draw, y: "share", yLabel: "share of the longest way" },
    }),
  ]
}

/** Attackers who assume a wrong k or ℓ. */
function wrongFigure(results: readonly PointResult[]): Figure {
  const rows = gather(results, "wrong", ["k", "depth"])
  const [{ k = 0, depth = 0 } = {}] = rows
  return panelFigure({
    id: "wrong-guess",
    title: `Attackers who assume a wrong k or ℓ (true: k = ${k}, ℓ = ${depth})`,
    cites: `${paper}, §IV-C: the nearer to the true values, the more is found`,
    caption: [
      "Share of all released records that each record linkage gives back, by the k or ℓ that the attacker assumes.",
      "Both modes, under names that last, on the live stream.",
    ].join(" "),
    rows: rows.map((row): Row => ({ ...row, panel: `${row.attacker}, wrong ${row.guessed}`, bound: 1 / Number(k) })),
    keep: ["mode", "k", "depth", "attacker", "guessed", "guess", "share", "low", "high", "panel", "bound"],
    draw: {
      x: "guess",
      y: "share",
      series: "mode",
      panel: "panel",
      columns: 2,
      dashed: "bound",
      xLabel: "value that the attacker assumes",
      yLabel: "share of records",
    },
  })
}

function costFigures(results: readonly PointResult[]): Figure[] {
  const sizes = gather(results, "sizes")
  const linkage = gather(results, "linkage").filter(({ attacker }) => String(attacker).startsWith("record-linkage"))
  const overDepth = { x: "depth", series: "k", nameOf: nameK, xLabel: "depth ℓ" }
  const topics = gather(results, "depths", [])
  return [
    panelFigure({
      id: "swapper-time",
      title: "Time per record of the swapper",
      cites: `${paper}, Fig. 11`,
      caption: [
        "Processor time of whole runs on this machine, one after the other.",
        "The first runs include the time of compiling.",
      ].join(" "),
      rows: sizes,
      keep: ["mode", "k", "depth", "swapper"],
      draw: { ...overDepth, panel: "mode", columns: 2, y: "swapper", yLabel: "µs per record" },
    }),
    panelFigure({
      id: "attacker-time",
      title: "Time per released record of attackers 1 to 3",
      cites: `${paper}, Fig. 12`,
      caption: [
        "The same for the attackers who swap back.",
        "Settings with fewer than 5,000 released records are left out: there, the fixed cost of a run weighs most.",
      ].join(" "),
      rows: linkage.map((row): Row => ({ ...row, panel: `${row.attacker}, ${row.mode}` })),
      keep: ["panel", "mode", "attacker", "k", "depth", "microseconds", "records"],
      draw: {
        ...overDepth,
        panel: "panel",
        y: "microseconds",
        yLabel: "µs per record",
        only: ({ records }) => Number(records) >= 5000,
      },
    }),
    panelFigure({
      id: "most-waiting",
      title: "Largest number of records that waited at once",
      cites: `${paper}, Fig. 14, which shows memory`,
      caption: "The memory of the swapper is proportional to it.",
      rows: sizes,
      keep: ["mode", "k", "depth", "mostWaiting"],
      draw: { ...overDepth, panel: "mode", columns: 2, y: "mostWaiting", yLabel: "records" },
    }),
    {
      id: "topics",
      title: "Topics in use, by depth",
      cites: `${paper}, Table 3`,
      caption: [
        "Topics cut at depth ℓ that at least one record of the log has.",
        "added: how many more there are than at the depth before.",
      ].join(" "),
      data: tableFigureData(
        topics.map(
          (row, i): Row => ({ ...row, added: Number(row.categories) - Number(topics[i - 1]?.categories ?? 0) }),
        ),
        ["depth", "added", "categories"],
      ),
    },
  ]
}

/** The settings, and which parts were not computed. */
export function swapNotes(results: readonly PointResult[], { without }: { without: readonly string[] }): string[] {
  const [topics] = gather(results, "topics", [])
  const [price] = gather(results, "price", ["depth"])
  const seconds = gather(results, "time", []).reduce((sum, row) => sum + Number(row.seconds), 0)
  return [
    [
      `${topics?.records} of the log's ${topics?.events} searches have a topic.`,
      "Only these are swapped, and shares are of these.",
      "Identifiers are not scrubbed here.",
    ].join(" "),
    [
      "Paper mode: the paper's algorithm, with own times and with repeats.",
      "Strict mode: cells of k + 1 users, and one time per cell. A query that was released for a user is not released",
      "for them again. At most 1000 queries of a user wait in a topic.",
    ].join(" "),
    "Intervals are 95 % Wilson intervals. In them, repeats of a query that left together count as one.",
    ...(price === undefined ? [] : [`Failures 2, 3 and 6 and the price are shown for ℓ = ${price.depth}.`]),
    ...(without.length === 0 ? [] : [`Not computed (--parts): ${without.join(", ")}.`]),
    `All points together took ${Math.round(seconds)} seconds.`,
  ]
}
