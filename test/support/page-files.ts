import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { writeParquet } from "../log/formats/parquet-files.ts"
import { type EmptyFolder, runCommands } from "./page-commands.ts"

const examples = fileURLToPath(new URL("../../examples/", import.meta.url))

/** Twelve people search for the same two things, so that both may be released. */
const searches = Array.from({ length: 24 }, (_, i) => ({
  user: `person-${i % 12}`,
  query: i < 12 ? "garden chair" : "winter coat",
  time: `2024-03-01 10:${String(10 + i)}:00`,
}))
const moment = (time: string) => Date.parse(`${time.replace(" ", "T")}Z`)
const lines = (row: (search: (typeof searches)[number]) => string) =>
  searches.map((search) => `${row(search)}\n`).join("")
const json = (row: (search: (typeof searches)[number]) => object) => lines((search) => JSON.stringify(row(search)))

const slowLine = ({ user, query, time }: (typeof searches)[number]) => ({
  type: "index_search_slowlog",
  timestamp: `${time.replace(" ", "T")},000+0000`,
  component: "i.s.s.query",
  took_millis: "1",
  total_shards: "1",
  source: JSON.stringify({ query: { multi_match: { query, fields: ["title"] } } }),
  "user.name": user,
})

const visitOf = ({ user, query, time }: (typeof searches)[number]) => ({
  idVisit: 1,
  visitorId: user,
  userId: null,
  serverTimestamp: moment(time) / 1000,
  actionDetails: [{ type: "search", siteSearchKeyword: query, timestamp: moment(time) / 1000 }],
})

const eventOf = ({ user, query, time }: (typeof searches)[number]) => ({
  event_timestamp: `${moment(time) * 1000}`,
  event_name: "view_search_results",
  event_params: [{ key: "search_term", value: { string_value: query } }],
  user_pseudo_id: user,
})

const solrLine = ({ user, query, time }: (typeof searches)[number]) =>
  `${time}.123 INFO  (qtp1-17) [   x:search] o.a.s.c.S.Request [search]  webapp=/solr path=/select ` +
  `params={q=${query.replace(" ", "+")}&uid=${user}} hits=0 status=0 QTime=0`

/** What a page expects of its reader: files by name, each small and synthetic. */
const texts: Record<string, () => string | Uint8Array> = {
  "searches.csv": () =>
    `visitor,term,at,pos,link\n${lines(({ user, query, time }) => `${user},${query},${time},1,shop.example/${user}`)}`,
  "searches.tsv": () => lines(({ user, query, time }) => `${user}\t${time}\t${query}`),
  "searches.log": () => `AnonID\tQuery\tQueryTime\n${lines(({ user, query, time }) => `${user}\t${query}\t${time}`)}`,
  "user-ct-test.txt.gz": () =>
    gzipSync(`AnonID\tQuery\tQueryTime\n${lines(({ user, query, time }) => `${user}\t${query}\t${time}`)}`),
  "sample.tsv": () => texts["searches.log"]?.() ?? "",
  "searches.jsonl": () => json(({ user, query, time }) => ({ client: { id: user }, q: query, at: time })),
  "slowlog.json": () => json(slowLine),
  "solr.log": () => lines(solrLine),
  "visits.json": () => JSON.stringify(searches.map(visitOf)),
  "events_20240301.json.gz": () => gzipSync(json(eventOf)),
  "vendor.log": () => lines(({ user, query, time }) => `${time}|${user}|search|${query}`),
  "labels.tsv": () => "query\tkind\tis_pii\njane.doe@example.com\temail\t1\nweather tomorrow\tnone\t0\n",
  "spared.txt": () => "garden chair 2024\n",
  "query.txt": () => "worker\n",
  words: () => "a few words\n",
  "MyActivity.json": () =>
    JSON.stringify(
      searches.map(({ query, time }) => ({
        header: "Search",
        title: `Searched for ${query}`,
        time: `${time.replace(" ", "T")}Z`,
        products: ["Search"],
      })),
    ),
}

const copies: Record<string, string> = {
  "ubi_queries.ndjson": "samples/ubi_queries.ndjson",
  "ubi_events.ndjson": "samples/ubi_events.ndjson",
  "T.tsv": "samples/taxonomy.tsv",
  "P.json": "samples/profile.json",
  "Q.json": "samples/topics.json",
  "S.json": "samples/sensitive.json",
  extensions: "extensions",
  samples: "samples",
}

/** What only a command makes. */
const made: Record<string, (place: EmptyFolder) => Promise<unknown>> = {
  "searches.parquet": ({ folder }) => {
    const values = searches.map(({ user, query, time }) => `('${user}', '${query}', TIMESTAMP '${time}')`).join(", ")
    return writeParquet(join(folder, "searches.parquet"), `SELECT * FROM (VALUES ${values}) AS searches(uid, q, "at")`)
  },
  "log.tsv": (place) => run(place, "synth --rows 20000 --seed 1 -o log.tsv --truth truth"),
  "early.rel": (place) => run(place, "anonymize equality log.tsv -k 5 --users pseudonym -o early.rel"),
  "late.rel": (place) => run(place, "anonymize equality log.tsv -k 5 --users pseudonym -o late.rel"),
  "profile.qvp": async (place) => {
    await provide(place, "samples")
    return run(place, "personal learn samples/history.csv -o profile.qvp")
  },
  release: (place) => run(place, "anonymize equality log.tsv -k 5 -o release --audit audit"),
  out: (place) => run(place, "anonymize equality log.tsv -k 5 -o out --audit out-audit"),
  store: (place) =>
    run(place, "stream run -k 3 --depth 2 --no-admin --store store --input log.tsv -o streamed.tsv --quiet"),
  "my-searches": async ({ folder }) => {
    mkdirSync(join(folder, "my-searches"))
    writeFileSync(join(folder, "my-searches/searches.csv"), texts["searches.csv"]?.() ?? "")
  },
}

async function run(place: EmptyFolder, command: string): Promise<void> {
  if (!command.startsWith("synth")) await provide(place, "log.tsv")
  const { code, told } = await runCommands(`npx queryveil ${command}`, place)
  if (code !== 0) throw new Error(`queryveil ${command}: ${told}`)
}

/** Makes what a page expects under this path or pattern in its folder, unless it is there. */
export async function provide(place: EmptyFolder, word: string): Promise<void> {
  const [start = ""] = word.split("*")
  const name = Object.keys({ ...texts, ...copies, ...made }).find((known) =>
    word.includes("*") ? known.startsWith(start) : known === word || word.startsWith(`${known}/`),
  )
  if (name === undefined || existsSync(join(place.folder, name))) return
  const path = join(place.folder, name)
  const [text, copy, make] = [texts[name], copies[name], made[name]]
  if (text !== undefined) writeFileSync(path, text())
  else if (copy !== undefined) cpSync(join(examples, copy), path, { recursive: true })
  else await make?.(place)
}
