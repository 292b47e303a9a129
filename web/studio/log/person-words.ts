import type { Person } from "./columns.ts"

/** The answers to "What is one person here?", and what each means for the promise. */
export const persons: readonly { person: Person; title: string; means: string; promise: string }[] = [
  {
    person: "login",
    title: "A login",
    means: "An account that people sign in with, the same on their phone and their computer.",
    promise: "The promise is about a person with all their searches, as long as they use one account.",
  },
  {
    person: "cookie",
    title: "A cookie",
    means: "A number that was given to a browser or a device.",
    promise:
      "The promise is about one browser. Somebody with a phone and a laptop counts as two people, and their two " +
      "halves are not protected together.",
  },
  {
    person: "session",
    title: "A session",
    means: "One visit. The next day, the same person has another value.",
    promise:
      "The promise is about one visit. Nothing is promised about what somebody did over several visits. Choose this " +
      "only if the log has nothing that lasts longer.",
  },
]

/** What is counted as a person: `logins`, `cookies`, `sessions`. */
export const personsCounted = (person: Person) => `${person}s`
