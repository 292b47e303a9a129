// What goes to a search engine with one query, by the samples of the package.
import { readFileSync } from "node:fs"
import { asCommands } from "./runner.mjs"

const delta = 0.1
const samples = "samples -o samples"
const line =
  "personal expose --taxonomy samples/taxonomy.tsv --profile samples/profile.json --topics samples/topics.json " +
  `--sensitive samples/sensitive.json --delta ${delta}`

export async function recordPersonal({ run, at }) {
  await run(samples)
  const read = (name) => Object.entries(JSON.parse(readFileSync(at(`samples/${name}.json`), "utf8")))
  const exposed = JSON.parse(await run(`${line} --json`))
  const sensitive = read("sensitive").map(([topic]) => topic)
  const percent = (risk) => Number((100 * risk).toFixed(1))
  const before = (i) => (i === 0 ? exposed.seed.risk : exposed.steps[i - 1].risk)
  const pruned = exposed.steps.map(({ pruned: topic, risk }, i) => ({
    title: `Leave out ${topic}`,
    says: [`Without ${topic} the risk falls from ${percent(before(i))} % to ${percent(risk)} %.`],
    table: riskTable(exposed, i + 1, percent),
  }))
  return {
    title: "What an engine is shown with one query",
    commands: asCommands(samples, line),
    steps: [
      {
        title: "A profile, which stays on the machine",
        says: [
          "The samples of the package have a profile: how often its owner read about each topic.",
          `Sensitive is ${sensitive.join(", ")}.`,
        ],
        table: {
          columns: ["Topic", "Support"],
          rows: read("profile"),
          marked: read("profile").flatMap(([topic], i) => (sensitive.includes(topic) ? [i] : [])),
          bars: { column: 1 },
        },
      },
      {
        title: "A query with several meanings",
        says: ["The query “party” has these topics. The profile can tell an engine which of them is meant."],
        table: { columns: ["Topic", "Relevance"], rows: read("topics"), bars: { column: 1 } },
      },
      {
        title: "Everything about the query",
        says: [
          "The part of the profile that is about the query would help most.",
          `It has all of the risk: ${percent(exposed.seed.risk)} %. With δ = ${delta}, ${percent(delta)} % is allowed.`,
        ],
        table: riskTable(exposed, 0, percent),
      },
      ...pruned,
      {
        title: "What is shown",
        says: [
          `The risk of this exposure is ${percent(exposed.exposed.risk)} %, within the ${percent(delta)} % allowed.`,
          ...exposed.sensitiveInQuery.map(
            (topic) => `The query itself is about the sensitive topic ${topic}: no profile can hide that.`,
          ),
        ],
        table: {
          columns: ["Topics that the engine sees"],
          rows: exposed.kept.map((topic) => [topic === "" ? "(the top of the tree)" : topic]),
        },
      },
    ],
  }
}

/** The risk after each of the first steps. */
function riskTable({ seed, steps }, count, percent) {
  const rows = [["everything", percent(seed.risk)]]
  for (const { pruned, risk } of steps.slice(0, count)) rows.push([`without ${pruned}`, percent(risk)])
  return { columns: ["Shown", "Risk in %"], rows, marked: [count], bars: { column: 1, reach: percent(delta) } }
}
