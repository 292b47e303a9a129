import { describe, expect, test } from "vitest"
import { readHistory } from "#dist/personal/import/read-history.js"
import { scratchFolder } from "../support/scratch-folder.ts"

const { write, folder } = scratchFolder()
const time = Date.parse("2024-05-06T07:08:09Z") / 1000
const secret = "qqsecretqq"

describe("a history file", () => {
  test("from Google Takeout's activity has searches in every language, and visits with their titles", async () => {
    const google = "https://www.google.com"
    const at = "2024-05-06T07:08:09Z"
    const owls = `${google}/url?q=https://birds.example/owls`
    const activity = [
      {
        header: "Search",
        title: "Searched for owl nest",
        titleUrl: `${google}/search?q=owl+nest`,
        time: "2024-05-06T07:08:09.123Z",
      },
      { header: "Suche", title: "Gesucht nach: Eule", titleUrl: `${google}/search?q=Eule`, time: at },
      { header: "Search", title: "Visited Owls of the night", titleUrl: owls, time: at },
      { header: "Search", title: "Used Search", time: at },
      { header: "Search", title: "Searched for no time" },
    ]
    expect(await readHistory(write(JSON.stringify(activity, null, 2)))).toEqual([
      { query: "owl nest", text: "owl nest", time },
      { query: "Eule", text: "Eule", time },
      { query: "Owls of the night", text: "Owls of the night birds.example owls", time },
    ])
  })

  test("from Chrome's part of Takeout is read", async () => {
    const visits = [{ title: "Owls", url: "https://birds.example/", time_usec: time * 1e6 }]
    expect(await readHistory(write(JSON.stringify({ "Browser History": visits })))).toMatchObject([
      { query: "Owls", time },
    ])
  })

  test("in CSV may have the times of Chrome, Firefox and others, quoted or not", async () => {
    const clocks = [
      (time + 11_644_473_600) * 1e6,
      time * 1e6,
      time * 1000,
      time,
      "2024-05-06 07:08:09",
      "2024-05-06T07:08:09Z",
    ]
    for (const clock of clocks) {
      const csv = `\ufeffvisit_time,title,url\r\n${clock},"Owls, ""big""\r\nones",https://birds.example/\r\n`
      expect(await readHistory(write(csv))).toEqual([
        { query: 'Owls, "big"\r\nones', text: 'Owls, "big"\r\nones birds.example', time },
      ])
    }
    const tabs = `url\ttitle\tdate\nhttps://duck.example/?q=owl\t\t${time}\nchrome://settings\tSettings\t${time}\n`
    expect(await readHistory(write(tabs))).toEqual([{ query: "owl", text: "owl", time }])
  })

  test("of JSON lines is read as by personal learn", async () => {
    expect(await readHistory(write(`{"time":${time},"query":"owl"}\n`))).toMatchObject([{ query: "owl", time }])
  })

  test("loses entries without a calendar day, which could not be forgotten by date", async () => {
    const rows = [-1, -1e17, "+275760-09-13T00:00:00Z", 1e300, time].map(
      (clock) => `https://birds.example/,Owls,${clock}\n`,
    )
    expect(await readHistory(write(`url,title,time\n${rows.join("")}`))).toMatchObject([{ time }])
    const searches = ["0000-01-01", "+010000-01-01T00:00:00Z", "2024-05-06T07:08:09Z"].map((clock) => {
      return { title: "Searched for owl", titleUrl: "https://www.google.com/search?q=owl", time: clock }
    })
    expect(await readHistory(write(JSON.stringify(searches)))).toMatchObject([{ time }])
    await expect(readHistory(write(`{"time":${time * 1000},"query":"owl"}\n`))).rejects.toThrow(
      "line 1: its time must be a date",
    )
  })

  test("that cannot be read is refused without repeating a word of it", async () => {
    const wrong = [
      "",
      "[",
      `[{"title":"${secret}"}]`,
      `${secret},b\n1,2\n`,
      `url,title\nhttps://a.example,${secret}\n`,
      `SQLite format 3\0${secret}`,
    ]
    for (const text of wrong) {
      const error: unknown = await readHistory(write(text)).catch((caught: unknown) => caught)
      expect(error).toMatchObject({ code: expect.stringMatching(/^input-/) })
      expect(String(error)).not.toContain(secret)
    }
    await expect(readHistory(`${folder}/none`)).rejects.toMatchObject({ code: "input-missing" })
  })
})
