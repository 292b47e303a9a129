import { expect, test } from "vitest"
import { mayChangeNames } from "#dist/stream/live/change-names.js"
import { nameLifetimes } from "#dist/stream/live/user-names.js"

test("a store continues with the same names, or with names that last shorter", () => {
  const allowed = nameLifetimes.flatMap((before) =>
    nameLifetimes.filter((after) => mayChangeNames(before, after)).map((after) => `${before} ${after}`),
  )
  const same = nameLifetimes.map((names) => `${names} ${names}`)
  const shorter = ["day cell", "pseudonym cell", "pseudonym day", "keep cell", "keep day"]
  expect(allowed.sort()).toEqual([...same, ...shorter].sort())
})
