import { Bags } from "./bags.ts"
import { growInt32 } from "./grow.ts"
import { RecordTable } from "./record-table.ts"
import { type RecordColumns, type Swapper, type SwapperOptions, waitingParts } from "./swapper.ts"

/**
 * A user becomes the heavy user with more than this many records, and more than twice as many as the previous heavy
 * user.
 */
const leastHeavy = 16

/**
 * Algorithm 1 of Pàmies-Estrems et al. 2020, with its condition as a `while` loop. The query and the user of a record
 * go into the pools of its category. While these hold more than k distinct users, a random query leaves with a random
 * user who did not issue it (Restriction 1). The user is drawn from the multiset, so a user with many records is drawn
 * more often.
 *
 * Drawing again until the user is not the owner would take long if the owner fills the pool. So the records of one
 * heavy user are kept apart. Any other user with more than 16 records has at most about twice as many as the heavy
 * user. So at least about one draw in three is of someone else.
 */
export function createPaperSwapper(columns: RecordColumns, options: SwapperOptions): Swapper {
  const { random, sink } = options
  const { stride = 1 } = columns
  let { k } = options
  let released = 0
  let waiting = 0
  const queries = new Bags() // by category
  // Users as a multiset: each occurs once per record. The records of a category's heavy user are apart from the others.
  const heavy = new Bags()
  const others = new Bags()
  let heavyUser = new Int32Array(64).fill(-1)
  let distinct = new Int32Array(64)
  let presenceAt = new Int32Array(64) // by record
  // A presence is a user in a category. By presence: the number of the user's records, and its two keys.
  let arity = new Int32Array(64)
  let presenceCategory = new Int32Array(64)
  let presenceUser = new Int32Array(64)
  let presences = 0
  const free: number[] = []
  const presenceOf = new RecordTable({
    a: (presence) => presenceCategory[presence],
    b: (presence) => presenceUser[presence],
  })

  const enter = (record: number, category: number) => {
    const user = columns.user[record * stride]
    let presence = presenceOf.find(category, user)
    if (presence < 0) {
      presence = free.pop() ?? presences++
      if (presence === arity.length) {
        arity = growInt32(arity, presence + 1)
        presenceCategory = growInt32(presenceCategory, presence + 1)
        presenceUser = growInt32(presenceUser, presence + 1)
      }
      presenceCategory[presence] = category
      presenceUser[presence] = user
      arity[presence] = 0
      presenceOf.add(presence, category, user)
      distinct[category]++
    }
    arity[presence]++
    presenceAt[record] = presence
    if (user === heavyUser[category]) heavy.put(category, record)
    else {
      others.put(category, record)
      if (arity[presence] > leastHeavy && arity[presence] > 2 * heavy.size(category)) makeHeavy(user, category)
    }
  }

  /** Sets the records of a user apart, and returns those of the previous heavy user to the others. */
  const makeHeavy = (user: number, category: number) => {
    const before = Array.from({ length: heavy.size(category) }, (_, place) => heavy.at(category, place))
    heavy.clear(category)
    for (let place = others.size(category) - 1; place >= 0; place--)
      if (columns.user[others.at(category, place) * stride] === user) heavy.put(category, others.take(category, place))
    for (const record of before) others.put(category, record)
    heavyUser[category] = user
  }

  /** Removes a random record of a user other than `owner` from the users, and returns it. */
  const takeUser = (owner: number, category: number): number => {
    const common = others.size(category)
    if (owner === heavyUser[category]) return others.take(category, random.below(common))
    for (;;) {
      const place = random.below(common + heavy.size(category))
      if (place >= common) return heavy.take(category, place - common)
      if (columns.user[others.at(category, place) * stride] !== owner) return others.take(category, place)
    }
  }

  const leave = (record: number, category: number) => {
    const presence = presenceAt[record]
    if (--arity[presence] > 0) return
    presenceOf.remove(presence, category, columns.user[record * stride])
    free.push(presence)
    distinct[category]--
  }

  const makeRoom = (record: number, category: number) => {
    if (category >= distinct.length) {
      const known = distinct.length
      heavyUser = growInt32(heavyUser, category + 1).fill(-1, known)
      distinct = growInt32(distinct, category + 1)
    }
    if (record >= presenceAt.length)
      presenceAt = growInt32(presenceAt, Math.max(record + 1, Math.floor(columns.user.length / stride)))
  }

  const letGo = (category: number) => {
    while (distinct[category] > k) {
      const before = distinct[category]
      const query = queries.take(category, random.below(queries.size(category)))
      const as = takeUser(columns.user[query * stride], category)
      leave(as, category)
      waiting--
      sink.release(query, as, released++, before)
    }
  }

  return {
    offer(record) {
      const category = columns.category[record * stride]
      makeRoom(record, category)
      waiting++
      enter(record, category)
      queries.put(category, record)
      letGo(category)
    },
    restore(record, part) {
      const category = columns.category[record * stride]
      makeRoom(record, category)
      if ((part & waitingParts.user) !== 0) enter(record, category)
      if ((part & waitingParts.text) === 0) return
      waiting++
      queries.put(category, record)
    },
    setK(next) {
      k = next
    },
    placeOf: () => 0, // there are no cells
    usersIn: (category) => (category < distinct.length ? distinct[category] : 0),
    get waiting() {
      return waiting
    },
  }
}
