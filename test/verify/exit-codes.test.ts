import { beforeAll, describe, expect, test } from "vitest"
import { aolText, marker, smallTown } from "../support/aol-log.ts"
import { publish } from "../support/publish.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { tamper, withCell } from "../support/tamper.ts"

const { at, write } = scratchFolder()
const log = write(aolText(smallTown()))

beforeAll(async () => {
  await publish(log, at("release"))
  tamper(at("release"), at("tampered"), ({ lines }) => {
    lines.push(withCell(lines[1], 1, `${marker} of 1`))
  })
})

async function verify(...args: string[]) {
  const result = await runCli(["verify", ...args])
  expect(result.stdout + result.stderr).not.toContain(marker)
  return result
}

describe("verify", () => {
  test("ends with 0 when every check passed", async () => {
    const { code, stdout } = await verify(at("release"), "--against", log)
    expect([code, stdout]).toEqual([0, expect.stringContaining("Every promise was checked and kept.")])
    expect(stdout).not.toMatch(/^(failed|not checked)/m)
  })

  test("says that it did not look at the order of names if there is no audit", async () => {
    await publish(log, at("audited"), {}, { audit: at("audit") })
    const unseen = "Whether names and their order follow users or lines was not looked at."
    expect((await verify(at("audited"), "--against", log)).stdout).toContain(unseen)
    expect((await verify(at("audited"), "--against", log, "--audit", at("audit"))).stdout).not.toContain(unseen)
  })

  test("ends with 3 when nothing fails but not everything can be checked", async () => {
    const { code, stdout } = await verify(at("release"))
    expect([code, stdout]).toEqual([3, expect.stringMatching(/not checked .*needs --against/)])
  })

  test("ends with 1 when something fails, with or without the original", async () => {
    const { code, stdout } = await verify(at("tampered"), "--against", log)
    expect([code, stdout]).toEqual([1, expect.stringMatching(/failed +users-original/)])
    expect(stdout).toContain("Do not publish this release.")
    expect((await verify(at("tampered"))).code).toBe(1)
  })

  test("--only runs the named checks, and refuses unknown ones", async () => {
    const one = await verify(at("tampered"), "--only", "times,ranks", "--json")
    const answer: { checks: { name: string }[] } = JSON.parse(one.stdout)
    expect([one.code, answer.checks.map(({ name }) => name)]).toEqual([0, ["times", "ranks"]])
    const unknown = await verify(at("release"), "--only", "tmies")
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringMatching(/no check called tmies.*times/)])
  })

  test.each([",", ""])("--only %j, which names no check, does not report that everything passed", async (none) => {
    const { code, stdout } = await verify(at("tampered"), "--only", none)
    expect([code, stdout]).toEqual([2, ""])
  })

  test("ends with 1 and says what to give if the folder is not a release", async () => {
    const { code, stderr } = await verify(at("nowhere"))
    expect([code, stderr]).toEqual([1, expect.stringMatching(/is not a release.*Give the folder that anonymize wrote/)])
  })
})
