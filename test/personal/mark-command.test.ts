import { beforeAll, describe, expect, test } from "vitest"
import { emptyStore } from "#dist/personal/personal-store.js"
import { ProfileFile } from "#dist/personal/profile-file.js"
import { taxonomyStamp } from "#dist/personal/taxonomy-stamp.js"
import { expectRefused } from "../support/expect-refused.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { sampleTree } from "./sample-tree.ts"

const tree = sampleTree()
const taxonomy = await tree.open()
const { at, write } = scratchFolder()
const passphrase = "a few words"
const shared = ["--taxonomy", tree.path, "--passphrase-file", write(`${passphrase}\n`)]
const profile = at("mine.profile")
const open = () => ProfileFile.open(profile, { passphrase, taxonomy })
const run = (...args: string[]) => runCli(["personal", ...args, ...shared])
const figure = "Sports/Ice skating/Figure"

beforeAll(async () => {
  const store = emptyStore(taxonomy)
  for (const path of ["Adults", figure, "Science/Birds/Owls"]) store.interests.add(taxonomy.find(path), { day: 20_000 })
  const shown = ["", "Sports", "Sports/Ice skating", figure]
  const exposure = {
    time: 20_000 * 86_400,
    engine: "one",
    session: "s",
    delta: 0.1,
    sessionDelta: 0.3,
    lifetimeDelta: 0.3,
  }
  const relevant = [{ path: figure, probability: 1, support: 1 }]
  store.history.add({ ...exposure, relevant, exposed: shown }, { taxonomy: taxonomyStamp(taxonomy), sensitive: [] })
  await ProfileFile.create(profile, { passphrase, store })
})

describe("queryveil personal mark", () => {
  test("lists what may be sensitive, and says that no risk is counted until something is marked", async () => {
    const listed = await run("mark", profile)
    expect(listed).toMatchObject({ code: 0 })
    expect(listed.stdout).toMatch(/proposed: sexuality +Adults/)
    expect(listed.stderr).toContain("no risk is counted: nothing in the profile is marked sensitive")
    for (const command of ["verify", "attack"])
      expect((await run(command, profile)).stdout).toContain(
        "no risk is counted: nothing in the profile is marked sensitive",
      )
  })

  test("marks topics sensitive and never show, clears marks, and warns if a bound allows a topic in full", async () => {
    const marked = await run("mark", profile, "--proposed", "--sensitive", figure, "--never", "Science/Birds", "--json")
    expect(JSON.parse(marked.stdout)).toMatchObject({
      sensitive: [
        { path: "Adults", sensitivity: 1 },
        { path: figure, sensitivity: 1 },
      ],
      never: ["Science/Birds"],
      proposals: [],
      riskIsCounted: true,
    })
    const uneven = await run("mark", profile, "--sensitive", figure, "--sensitivity", "0.1", "--json")
    expect(JSON.parse(uneven.stdout).inFull).toEqual([{ path: figure, share: expect.closeTo(1 / 11, 12) }])
    expect(uneven.stderr).toMatch(/each of these topics may be shown in full.* bound of 0\.1: .*Figure \(0\.09\)/)
    const { store } = await open()
    expect([...store.never].map((topic) => taxonomy.path(topic))).toEqual(["Science/Birds"])
    const cleared = await run("mark", profile, "--clear", "Science/Birds", "Adults", "--json")
    expect(JSON.parse(cleared.stdout)).toMatchObject({ sensitive: [{ path: figure }], never: [] })
  })

  test("refuses an unknown topic, or one that overlaps another", async () => {
    expectRefused(await run("mark", profile, "--never", "Nowhere"), { code: 2, message: /no topic/ })
    expectRefused(await run("mark", profile, "--sensitive", "Sports"), { code: 1, message: /overlap/ })
  })
})

describe("queryveil personal verify", () => {
  test("says which topics were marked after they had been shown, and when", async () => {
    await run("mark", profile, "--sensitive", figure, "--never", "Sports/Ice skating")
    const verified = await run("verify", profile)
    expect(verified.code).toBe(0) // the guarantee of that time was kept
    expect(verified.stdout).toContain(
      `${figure}: was marked sensitive only after one had been shown it, first on 2024-10-04.`,
    )
    expect(verified.stdout).toContain("Sports/Ice skating: was marked never show only after one had been shown it")
    expect(JSON.parse((await run("verify", profile, "--json")).stdout).lateMarks).toHaveLength(2)
  })
})

describe("queryveil personal forget", () => {
  test("says that engines still know what they were shown, and that it still counts", async () => {
    const answer = await run("forget", profile, "--topic", "Sports", "--json")
    expect(JSON.parse(answer.stdout)).toMatchObject({ documents: 1, exposures: 1, stillShown: 3 })
    expect(answer.stderr).toMatch(/shown 3 of the forgotten topics/)
    const { store } = await open()
    expect(store.history.records).toEqual([])
    expect([...store.history.accounts.shownTo("one")]).toContain(figure)
    expect([...store.history.accounts.lost.keys()]).toEqual([figure])
    expect(store.never).toHaveLength(1)
  })
})
