import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { get } from "node:http"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { aolText } from "../support/aol-log.ts"
import { expectRefused } from "../support/expect-refused.ts"
import { startStream } from "../support/live-cli.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { classifierText, taxonomyText, townSearches } from "../swap/town.ts"

const { fresh, write } = scratchFolder()
const searches = townSearches({ users: 90, each: 20 })
const log = write(aolText(searches), "log.tsv")
const topics = [
  "--taxonomy",
  write(taxonomyText, "topics.tsv"),
  "--classifier",
  write(classifierText(searches), "q.tsv"),
]

async function release(more: readonly string[] = []) {
  const [folder, audit] = [fresh("profiles"), fresh("audit")]
  const words = ["anonymize", "profiles", log, "-k", "4", "--group-size", "12", ...topics, "-o", folder]
  const result = await runCli([...words, "--audit", audit, ...more])
  return { folder, audit, result }
}

interface Row {
  profile: string
  users: number
  topic: string
  share: number
}

const rowsOf = (folder: string) =>
  readFileSync(join(folder, "profiles.tsv"), "utf8")
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line): Row => {
      const [profile = "", users, topic = "", share] = line.split("\t")
      return { profile, users: Number(users), topic, share: Number(share) }
    })

async function verify(folder: string, audit: string, against = log) {
  const { stdout, code } = await runCli(["verify", folder, "--against", against, "--audit", audit, "--json"])
  const { checks }: { checks: { name: string; state: string }[] } = JSON.parse(stdout)
  return { code, failed: checks.filter(({ state }) => state === "failed").map(({ name }) => name) }
}

/** Writes other rows and their digest, so that only a count can show the change. */
function forge(folder: string, change: (text: string) => string): void {
  const [path, about] = ["profiles.tsv", "release.json"].map((name) => join(folder, name))
  const text = change(readFileSync(path ?? "", "utf8"))
  writeFileSync(path ?? "", text)
  const manifest = JSON.parse(readFileSync(about ?? "", "utf8"))
  manifest.files[0].sha256 = createHash("sha256").update(text).digest("hex")
  manifest.files[0].rows = text.trimEnd().split("\n").length - 1
  writeFileSync(about ?? "", JSON.stringify(manifest))
}

describe("anonymize profiles", () => {
  test("shows profiles of many users, each topic of at least k of them, without a user id", async () => {
    const { folder, audit, result } = await release()
    expect(result.code).toBe(0)
    const rows = rowsOf(folder)
    expect(rows.length).toBeGreaterThan(6)
    const members = readFileSync(join(audit, "members.tsv"), "utf8").trimEnd().split("\n").slice(1)
    const profileOf = new Map(members.map((line) => line.split("\t") as [string, string]))
    for (const { profile, users, topic, share } of rows) {
      const group = [...profileOf].filter(([, name]) => name === profile).map(([user]) => user)
      expect(group.length).toBeGreaterThanOrEqual(12)
      expect(users).toBe(group.length - (group.length % 4))
      expect(share % 5).toBe(0)
      const word = topic.split("/").at(-1) ?? ""
      const below: Record<string, string[]> = {
        health: ["flu", "migraine", "diet"],
        illness: ["flu", "migraine"],
        travel: ["rail", "air"],
      }
      const words = below[word] ?? [word]
      const having = group.filter((user) =>
        searches.some((search) => search.user === user && words.some((one) => search.query.startsWith(one))),
      )
      expect(having.length).toBeGreaterThanOrEqual(4)
    }
    expect(await verify(folder, audit)).toEqual({ code: 0, failed: [] })
    const measured = await runCli(["measure", folder, "--against", log, "--audit", audit, ...topics, "--json"])
    const names = JSON.parse(measured.stdout).outcomes.flatMap((one: { scores?: { name: string }[] }) =>
      (one.scores ?? []).map(({ name }) => name),
    )
    expect(names).toEqual(["topic-distance", "profile-distance", "profile-distance@depth", "profile-users"])
    const attacked = await runCli(["attack", folder, "--against", log, "--audit", audit, ...topics, "--json"])
    expect(attacked.code).toBe(0)
    const page = await runCli(["report", folder, "--against", log, "--audit", audit, "-o", fresh("page.html")])
    expect(page.code).toBe(0)
  })

  test("names are drawn anew, so nothing joins two releases", async () => {
    const [one, two] = [await release(), await release()]
    const names = new Set(rowsOf(one.folder).map(({ profile }) => profile))
    expect(rowsOf(two.folder).some(({ profile }) => names.has(profile))).toBe(false)
  })

  test("sensitive topics are not shown, only what is above them", async () => {
    const sensitive = write("health/illness/flu\n", "sensitive.txt")
    const { folder, audit } = await release(["--depth", "3", "--sensitive-categories", sensitive])
    const shown = rowsOf(folder).map(({ topic }) => topic)
    expect(shown).not.toContain("health/illness/flu")
    expect(shown).not.toContain("health/illness/migraine")
    expect(shown).toContain("health/illness")
    expect(readFileSync(join(folder, "release.json"), "utf8")).not.toContain("flu")
    expect((await verify(folder, audit)).failed).toEqual([])
  })

  test.each<[string, string, (text: string) => string]>([
    [
      "a share that is another",
      "shares",
      (text) => text.replace(/\t(\d+)\n/, (_, share) => `\t${Number(share) + 10}\n`),
    ],
    ["more users than there are", "members", (text) => text.replaceAll(/^(p\S+)\t12\t/gm, "$1\t16\t")],
    ["a share that is not rounded", "values", (text) => text.replace(/\t\d+\n/, "\t7\n")],
    ["a topic below the depth", "topics", (text) => text.replace("\thealth/illness\t", "\thealth/illness/flu\t")],
    ["a user id for a name", "values", (text) => text.replace(/^p[a-z2-7]{12}/m, "17")],
  ])("%s is found", async (_what, check, change) => {
    const { folder, audit } = await release()
    forge(folder, change)
    expect((await verify(folder, audit)).failed).toContain(check)
  })

  test("a topic that fewer than k users of a profile searched for is found", async () => {
    const { folder, audit } = await release()
    // All but three users of the first profile are moved to another one.
    const path = join(audit, "members.tsv")
    const [header = "", ...lines] = readFileSync(path, "utf8").trimEnd().split("\n")
    const [first, other] = [...new Set(lines.map((line) => line.split("\t")[1]))]
    let kept = 0
    const moved = lines.map((line) =>
      line.endsWith(`\t${first}`) && kept++ >= 3 ? line.replace(`\t${first}`, `\t${other}`) : line,
    )
    writeFileSync(path, `${[header, ...moved].join("\n")}\n`)
    expect((await verify(folder, audit)).failed).toContain("members")
  })

  test("refuses groups that are smaller than k, and warns where nothing can be shown", async () => {
    expectRefused((await release(["--group-size", "3"])).result, {
      code: 2,
      message: /--group-size 3: expected at least k/,
    })
    const { result, folder } = await release(["--group-size", "500"])
    expect(result.stderr).toMatch(/No profile can be shown/)
    expect(rowsOf(folder)).toEqual([])
  })
})

describe("profiles of a stream", () => {
  const runWords = ["--depth", "2", "--k", "3", "--workers", "1", "--no-admin"]
  const run = (store: string, input: string, more: readonly string[] = []) => {
    const places = ["--store", store, "--input", input, "-o", `${store}.out`]
    return runCli(["stream", "run", ...topics, ...runWords, ...places, ...more])
  }
  const publish = async (store: string, more: readonly string[] = []) => {
    const [folder, audit] = [fresh("published"), fresh("audit")]
    const words = ["--store", store, ...topics.slice(0, 2), "-k", "4", "--group-size", "12", "-o", folder]
    const result = await runCli(["stream", "profiles", "publish", ...words, "--audit", audit, ...more, "--json"])
    return { folder, audit, result }
  }

  test("are published for the time since the last publication, and verify against the log", async () => {
    const store = fresh("store")
    const growing = write(aolText(searches.slice(0, 900)), "growing.tsv")
    expect((await run(store, growing)).code).toBe(0)
    const first = await publish(store)
    expect({ code: first.result.code, stderr: first.result.stderr }).toEqual({ code: 0, stderr: "" })
    expect(rowsOf(first.folder).length).toBeGreaterThan(0)
    writeFileSync(growing, aolText(searches))
    expect((await run(store, growing)).code).toBe(0)
    const second = await publish(store)
    const all = await publish(store, ["--from-start"])
    const countsOf = (audit: string) =>
      readFileSync(join(audit, "counts.tsv"), "utf8")
        .trimEnd()
        .split("\n")
        .slice(1)
        .reduce((sum, line) => sum + Number(line.split("\t")[2]), 0)
    expect(countsOf(first.audit) + countsOf(second.audit)).toBe(countsOf(all.audit))
    const exported = await runCli([
      "stream",
      "profiles",
      "export",
      "--store",
      store,
      ...topics.slice(0, 2),
      "--all-categories",
    ])
    const total = exported.stdout
      .trimEnd()
      .split("\n")
      .slice(1)
      .reduce((sum, line) => sum + Number(line.split("\t")[2]), 0)
    expect(countsOf(all.audit)).toBe(total)
    for (const { folder, audit } of [first, second, all]) {
      const { failed } = await verify(folder, audit)
      expect(failed).toEqual([])
    }
    expectRefused((await publish(store, ["--depth", "3"])).result, { code: 2, message: /those of other people/ })
  })

  test("are as current as a stream that was killed, and are given out over HTTP", async () => {
    const store = fresh("store")
    const words = [
      "--store",
      store,
      ...topics,
      ...runWords,
      "--input",
      "http",
      "--output",
      "http",
      "--http",
      "127.0.0.1:0",
    ]
    const { child, ended, listening } = startStream([...words, "--checkpoint", "3600"])
    const { port } = await listening
    const body = searches.map(({ user, query, time }) => JSON.stringify({ user, query, time })).join("\n")
    const headers = { "content-type": "application/x-ndjson" }
    const send = () => fetch(`http://127.0.0.1:${port}/records`, { method: "POST", body, headers })
    await expect.poll(async () => (await send()).status).toBe(200) // 503 while it starts
    expect((await fetch(`http://127.0.0.1:${port}/profiles`)).status).toBe(404)
    const exported = await runCli([
      "stream",
      "profiles",
      "export",
      "--store",
      store,
      ...topics.slice(0, 2),
      "--all-categories",
    ])
    const counted = exported.stdout
      .trimEnd()
      .split("\n")
      .slice(1)
      .reduce((sum, line) => sum + Number(line.split("\t")[2]), 0)
    expect(counted).toBeGreaterThan(500) // nothing is checkpointed yet
    const { folder } = await publish(store)
    const answer = await fetch(`http://127.0.0.1:${port}/profiles`)
    expect(answer.status).toBe(200)
    const given: { profiles: Row[] } = JSON.parse(await answer.text())
    expect(given.profiles).toEqual(rowsOf(folder))
    const foreign = await new Promise<number | undefined>((resolve, reject) => {
      const request = get({ port, path: "/profiles", headers: { host: "elsewhere.example" } }, ({ statusCode }) => {
        resolve(statusCode)
      })
      request.on("error", reject)
    })
    expect(foreign).toBe(403)
    child.kill("SIGKILL")
    await ended
    const after = await runCli([
      "stream",
      "profiles",
      "export",
      "--store",
      store,
      ...topics.slice(0, 2),
      "--all-categories",
    ])
    expect(after.stdout).toBe(exported.stdout)
  })
})
