import { expect, test } from "vitest"
import { attack } from "#dist/attacks/registry.js"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { anonymize } from "#dist/release/anonymize.js"
import { openDraft } from "#dist/release/read-release.js"
import { aolText, smallTown } from "../support/aol-log.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { write } = scratchFolder()
const path = write(aolText(smallTown()))
const context = createContext({ workers: 1 })

test("an option that a method does not have is refused, not left out", async () => {
  const { log } = await readLog(path, {}, context)
  // @ts-expect-error the option is users
  const refused = expect(anonymize(log, { method: "equality", k: 3, user: "drop" }, context)).rejects
  await refused.toMatchObject({ code: "option-unknown", message: expect.stringMatching(/user\. Options: .*users/) })
})

test("so is an option that reading a log does not have, and a value that it cannot have", async () => {
  const misspelt: object = { colums: "user=1" }
  await expect(readLog(path, misspelt, context)).rejects.toMatchObject({ code: "option-unknown" })
  const unread: object = { format: "xml" }
  await expect(readLog(path, unread, context)).rejects.toMatchObject({ code: "option-value" })
})

test("a value that an attack cannot take is reported by its name", async () => {
  const { log } = await readLog(path, {}, context)
  const release = openDraft(await anonymize(log, { method: "equality", k: 3 }, context))
  const options = { only: ["profile"], values: { profileSplit: 5 } } as const
  await expect(attack({ release, log }, options, context)).rejects.toMatchObject({
    code: "option-value",
    message: expect.stringContaining("profileSplit"),
  })
})
