import { rmSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { commandsOf, documentedPages, isForm, needsServer, typedCommand } from "../support/documented-commands.ts"
import { emptyFolder, pageAt, runCommands } from "../support/page-commands.ts"
import { provide } from "../support/page-files.ts"
import { splitWords } from "../support/paper-points.ts"

/** Pages whose commands other tests run as written, with what they print. */
const runElsewhere = [
  "docs/papers.md",
  ...["publish", "stream", "private", "science"].map((path) => `site/pages/${path}.md`),
]

/** What the words in capitals stand for. */
const values = {
  LOG: "log.tsv",
  DIR: "out",
  DIR2: "out-audit",
  RELEASE: "shared",
  FILE: "labels.tsv",
  PROFILE: "profile.qvp",
  QUERY: "worker",
  METHOD: "equality",
  MODE: "exact",
  K: "10",
}

/** Commands whose words stand for something else on their page, or that leave something out. */
const exceptions: [page: RegExp, command: RegExp, how: { values?: Record<string, string>; more?: string }][] = [
  [/stream|operations|profiles/, /^stream/, { values: { DIR: "store", DIR2: "shared-audit" } }],
  [
    /personal\.md/,
    /expose/,
    { more: "--taxonomy T.tsv --profile P.json --topics Q.json --sensitive S.json --delta 0.1" },
  ],
]

/** Commands that another test runs, because they need what this one cannot give them. */
const needMore: [command: RegExp, test: string][] = [
  [/^stream profiles (export|publish) --store profiles/, "profiles of a group: test/docs/kafka.kafka.test.ts"],
  [/^studio (sign|refuse|hand-out)|^verify my-project/, "a draft in a project: test/project/sign-release.test.ts"],
]

/** Commands that run until they are stopped, and what they print when they are ready. */
const untilStopped: [command: RegExp, ready: RegExp][] = [
  [/^personal serve|^studio --project/, /http:\/\/127\.0\.0\.1/],
  [/^stream run .*(--follow|--input http)/, /listening on/],
]

/** As a reader types it, but with a small log, on any free port, and without the page of a stream. */
function smaller(command: string): string {
  return command
    .replace(/--rows (\d+)/, (_, rows) => `--rows ${Math.min(8000, Number(rows))}`)
    .replace(/^synth(?!.*--rows)/, "synth --rows 8000")
    .replace(/^(stream run.*?)( > .*)?$/, "$1 --no-admin$2")
    .replace(/^(stream run.*--(?:input|output) http\b)/, "$1 --http 127.0.0.1:0")
    .replace(/^((?:personal serve|studio --project)(?!.*--port).*)$/, "$1 --port 0 --no-open")
    .replace("-o Q.json", "-o mapped.json") // the topics of another taxonomy than that of the next command
    .replace("/data/search-logs", "my-searches")
    .replace("/srv/outbox", "outbox")
}

/** True if a command makes what this flag names. */
function isMade(command: string, flag: string): boolean {
  const [name = "", second] = command.split(" ")
  // A stream that learns its depth first goes on with its store and its output afterwards.
  const goesOn = /--depth auto(?!.*--first-period)/.test(command)
  if (flag === "--truth") return name === "synth"
  if (flag === "--audit") return name === "anonymize" || second === "run" || second === "profiles"
  if (flag === "--store") return second === "run" && !goesOn
  return /^(-o|--audit-out|--svg)$/.test(flag) && !goesOn
}

const pages = documentedPages
  .filter((page) => !runElsewhere.includes(page))
  .map((page) => ({
    page,
    commands: commandsOf(pageAt(page)).filter((command) => !isForm(command) && !needsServer(command)),
  }))
  .filter(({ commands }) => commands.length > 0)

// In a folder of its own, in order, as its reader would. Commands with a server are run by the tests of that server.
describe("every command of a page runs", () => {
  test.each(pages)("$page", async ({ page, commands }) => {
    const place = emptyFolder()
    for (const written of commands) {
      if (needMore.some(([command]) => command.test(written))) continue
      const [, , how] = exceptions.find(([where, what]) => where.test(page) && what.test(written)) ?? []
      const command = smaller(typedCommand(written, { more: how?.more ?? "", values: { ...values, ...how?.values } }))
      const words = splitWords(command.replace(/[<>]/g, ""))
      for (const [i, word] of words.entries()) {
        // A page may write the same release or store in several ways, and its reader chooses one.
        if (isMade(command, words[i - 1] ?? "")) rmSync(join(place.folder, word), { recursive: true, force: true })
        else await provide(place, word)
      }
      const until = untilStopped.find(([what]) => what.test(command))?.[1]
      const { code, told } = await runCommands(`npx queryveil ${command}`, { ...place, until })
      // 3: something could not be checked; 4: nothing may be released of so small a log.
      expect([0, 3, 4], `queryveil ${command}\n${told}`).toContain(code)
    }
  })

  test("and there are many", () => {
    expect(pages.flatMap(({ commands }) => commands).length).toBeGreaterThan(70)
  })
})
