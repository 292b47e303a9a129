import { findLogPeople } from "./log-people.ts"
import type { Person } from "./person.ts"
import { makePerson } from "./synthetic-people.ts"
import type { World } from "./world.ts"

/** Whose profiles are studied: those of people in the log, or of synthetic people whose interests are known. */
export const peopleSources = ["log", "synthetic"] as const

/** Whose profiles to study, how many people, and how many queries of each. */
export interface PeopleOptions {
  people: (typeof peopleSources)[number]
  users: number
  asked: number
}

const found = new WeakMap<World, Map<string, Person[]>>()

/** The people of a study. Computed once. */
export function listPeople(world: World, options: PeopleOptions): Person[] {
  const known = found.get(world) ?? new Map<string, Person[]>()
  found.set(world, known)
  const key = JSON.stringify(options)
  const people =
    known.get(key) ??
    (options.people === "log"
      ? findLogPeople(world, options)
      : Array.from({ length: options.users }, (_, number) => makePerson(world, number, options)))
  known.set(key, people)
  return people
}
