import { Type } from "#typebox"
import { type Unit, units } from "../log/search-log.ts"

export const notCovered = Type.Array(Type.String(), { description: "what the guarantee does not protect from" })

export const counted = Type.Enum([...units], {
  description: "what the log distinguishes and k counts: users or sessions",
})

export const repeatedPeople = (counted: Unit) =>
  counted === "user"
    ? "users who are several accounts of one person: k accounts are counted as k users"
    : "people who come back: the log was counted by session, and k sessions of one person are counted as k"
