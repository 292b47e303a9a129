// Why affinity releases a query that one user typed.
import { demoLog } from "./logs.mjs"
import { asCommands } from "./runner.mjs"

const query = "herbaceous plant obviously"

export async function recordAffinity({ run }) {
  const line = `explain affinity log.tsv "${query}" -k 10`
  const { users, facts, tables, graph, verdict, reasons, changes } = JSON.parse(await run(`${line} --json`))
  const [concepts, affine] = [tables.Concepts, tables["Affine queries"]]
  const around = graph.vertices.map((vertex) => [vertex.query, vertex.users, vertex.degree])
  const k11 = changes.find(({ options }) => options?.k !== undefined)
  return {
    title: "A rare query that affinity releases",
    commands: asCommands(demoLog, line),
    steps: [
      {
        title: "A rare query",
        says: [
          `“${query}” was typed by ${users === 1 ? "one user" : `${users} users`} of this synthetic log.`,
          `With k = ${facts.k}, equality would withhold it.`,
        ],
        table: { columns: ["Query", "Users"], rows: [[query, users]], bars: { column: 1, reach: facts.k } },
      },
      {
        title: "Its concepts",
        says: [
          `A concept is a word or phrase that at least ${facts.minConceptUsers} users of the log typed.`,
          "Rarer concepts weigh more.",
          "All words of this query are concepts, so similar queries may protect it.",
        ],
        table: {
          columns: ["Concept", "Weight"],
          rows: concepts.rows.map(([a, b]) => [a, Number(b)]),
          bars: { column: 1 },
        },
      },
      {
        title: "Similar queries",
        says: [
          `Two queries are similar if the cosine of their concepts is at least θ = ${facts.theta}.`,
          "1 means that they have the same concepts with the same weights.",
        ],
        table: {
          columns: ["Query", "Cosine", "Users"],
          rows: affine.rows.map(([text, cosine, count]) => [text, Number(cosine), count]),
          bars: { column: 2, reach: facts.k },
        },
      },
      {
        title: "Users around it",
        says: [
          "The degree of a query is the largest k with which it is released: at least that many users typed it or " +
            "a similar query that is released too.",
          "The table has the query, and all queries that are connected with it.",
        ],
        table: {
          columns: ["Query", "Users", "Degree"],
          rows: around,
          marked: [0],
          bars: { column: 2, reach: facts.k },
        },
      },
      {
        title: `Verdict: ${verdict}`,
        says: [
          reasons[1],
          "So a text that one person typed is in the release. affinity promises that many users issued it or " +
            "a similar released text, not that many typed this text.",
          ...(k11 === undefined ? [] : [`With -k ${k11.options.k} the verdict would be: ${k11.verdict}.`]),
        ],
      },
    ],
  }
}
