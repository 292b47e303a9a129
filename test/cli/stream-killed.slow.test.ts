import { test } from "vitest"
import { scratchFolder } from "../support/scratch-folder.ts"
import { killStream } from "./kill-stream.ts"

const { fresh } = scratchFolder()

test("a stream killed fifty times loses nothing, repeats nothing and changes no byte that was written", () =>
  killStream(fresh(), 50))
