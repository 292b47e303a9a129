import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { scratchFolder } from "../support/scratch-folder.ts"
import { read, refusal } from "./read.ts"

const { write } = scratchFolder()
const row = "ann,lamp,2024-03-01 00:00:00\n"

const words = (text: string) => text.trim().split(/\s+/)

/** Names that mean a user, or what a browser stores of one. */
const users = words(`
  user userid user_id User-ID uid anonid username visitor visitor_id fullVisitorId client client_id cookie cookie_id
  member customer customer_no account account_id email login device_id user_pseudo_id patron subscriber Benutzer
  Nutzer Usuário
`)

/** Names that mean something else, or are too vague. */
const noUsers = words(`
  uuid guid id order order_id session session_id sid visit row row_id rownum request request_id index line no key
  hash token ip client_ip ipaddress user_agent users user_count usertype userquery username2 name host country page
  event_id query_id x a foo
`)

const userOf = async (name: string, unit: "user" | "session" = "user") => {
  const { log, intake } = await read(write(`${name},query,time\n${row}`), { unit })
  return [log.users.text(0), intake.read]
}

describe("a column is the user only if its name means one", () => {
  test.each(users)("%s does", async (name) => {
    const columns = { user: name, query: "query", time: "time" }
    expect(await userOf(name)).toEqual(["ann", [{ format: "delimited", columns, found: "recognised" }]])
  })

  test.each(noUsers)("%s does not", async (name) => {
    expect(await refusal(read(write(`${name},query,time\n${row}`)))).toMatchObject({ code: "input-columns" })
  })

  test("whatever its case, and with spaces, dashes, underscores, dots and quotes in it", async () => {
    const sign = fc.constantFrom("", " ", "_", "-", ".", "__", " - ")
    const cased = (text: string) =>
      fc.tuple(...[...text].map((letter) => fc.constantFrom(letter, letter.toUpperCase()))).map((all) => all.join(""))
    const name = fc.tuple(cased("user"), sign, cased("id")).map((parts) => parts.join(""))
    await fc.assert(
      fc.asyncProperty(name, fc.boolean(), fc.constantFrom("", "\ufeff"), async (user, isQuoted, mark) => {
        const header = isQuoted ? `"${user}"` : user
        const { log } = await read(write(`${mark}${header},query,time\n${row}`))
        expect(log.users.text(0)).toBe("ann")
      }),
      { numRuns: 100 },
    )
  })

  test("and a name that only begins or ends like one does not", async () => {
    const part = fc.string({ unit: fc.constantFrom("x", "z", "7"), minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom("user", "visitor", "cookie"), part, fc.boolean(), async (name, more, before) => {
        const header = before ? `${more}${name}` : `${name}${more}`
        const error = await refusal(read(write(`${header},query,time\n${row}`)))
        expect(error).toMatchObject({ code: "input-columns" })
      }),
      { numRuns: 60 },
    )
  })

  test.each(["session", "session_id", "Session-ID", "sid", "visit_id"])("%s means a session", async (name) => {
    expect((await userOf(name, "session"))[0]).toBe("ann")
  })

  test("and with --unit session a user is not a session", async () => {
    const error = await refusal(read(write(`user,query,time\n${row}`), { unit: "session" }))
    expect(error).toMatchObject({
      code: "input-columns",
      message: expect.stringMatching(/means a session.*leave out --unit session/s),
    })
  })
})

describe("of several names that mean a user", () => {
  test("an account is preferred to a browser, in any order", async () => {
    for (const [header, user] of [
      ["cookie,user_id", "b"],
      ["user_id,cookie", "a"],
    ]) {
      const { log } = await read(write(`${header},query,time\na,b,lamp,2024-03-01 00:00:00\n`))
      expect(log.users.text(0)).toBe(user)
    }
  })

  test.each(["user_id,account", "user,User", "cookie,visitor"])("none is guessed: %s", async (header) => {
    const error = await refusal(read(write(`${header},query,time\na,b,lamp,2024-03-01 00:00:00\n`)))
    expect(error).toMatchObject({
      code: "input-columns",
      message: expect.stringMatching(/more than one column .* means a user/),
    })
  })
})

describe("a column is the query or the time only if its name means one", () => {
  test.each(["query", "q", "Search Term", "search_query", "keyword", "phrase", "term"])(
    "%s is a query",
    async (name) => {
      const { log } = await read(write(`user,${name},time\n${row}`))
      expect(log.queries.text(0)).toBe("lamp")
    },
  )

  test.each(["time", "timestamp", "@timestamp", "QueryTime", "event_time", "ts", "when", "at", "created_at"])(
    "%s is a time",
    async (name) => {
      const { log } = await read(write(`user,query,${name}\n${row}`))
      expect(log.time[0]).toBe(Date.UTC(2024, 2, 1) / 1000)
    },
  )

  test.each(["text", "title", "results", "query_id", "query_count", "category"])("%s is not a query", async (name) => {
    const error = await refusal(read(write(`user,${name},time\n${row}`)))
    expect(error).toMatchObject({
      code: "input-columns",
      message: expect.stringContaining("--columns user=user,query=COLUMN,time=time"),
    })
  })

  test("and a column of times is proposed for one that is not named", async () => {
    const error = await refusal(read(write(`user,query,Stunde\n${row}`)))
    expect(error).toMatchObject({ message: expect.stringContaining("--columns user=user,query=query,time=Stunde") })
  })
})
