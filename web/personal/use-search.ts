import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import type { Exposed, Held, SearchAnswer, State } from "./answers.ts"
import { engineLabel } from "./engine-words.ts"
import { Latest } from "./latest.ts"
import type { PersonalProxy } from "./proxy.ts"
import { counted, sayExposed } from "./words.ts"

const addressQuery = () => new URLSearchParams(window.location.search).get("q") ?? ""

/** True if this engine is sent more than the query. */
const takesProfile = ({ engines }: State, engine: string) =>
  engines.find(({ name }) => name === engine)?.acceptsExposure ?? true

/** Milliseconds without typing before a query is previewed. */
const pause = 200

/**
 * One search at a time: what is typed, what was found, and which part of the profile was shown for it, or would be
 * (`isDone` says which). The query is kept only in the address.
 */
export function useSearch(proxy: PersonalProxy) {
  const { api, state, say, fail } = proxy
  const [typed, setTyped] = useState(addressQuery)
  const [found, setFound] = useState<SearchAnswer>()
  const [tried, setTried] = useState<Exposed>()
  const [delta, setDelta] = useState(state.delta)
  const [asking, setAsking] = useState<string>()
  const newest = useRef(0)
  const takesRef = useRef(true)
  /** The query that was asked last, answered or not. */
  const asked = useRef("")
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const previews = useMemo(
    () =>
      new Latest(api.preview, {
        answer: (exposed) => {
          setTried(exposed)
          say(sayExposed(exposed, { isDone: false, takes: takesRef.current }))
        },
        error: fail,
      }),
    [api, say, fail],
  )
  const exposed = tried ?? found
  const isDone = tried === undefined && found !== undefined && found.held === undefined
  const takes = takesProfile(state, isDone ? (found?.engine ?? state.engine) : state.engine)
  takesRef.current = takes

  const search = async (query: string, engine = state.engine, choice?: Held["choices"][number]) => {
    const number = ++newest.current
    asked.current = query
    clearTimeout(timer.current)
    previews.cancel()
    setAsking(engine)
    say(`Asking ${engineLabel(engine)}.`)
    try {
      const answer = await api.search({ query, engine, delta, ...(choice !== undefined && { choice }) })
      if (number !== newest.current) return
      setFound(answer)
      setTried(undefined)
      if (answer.held !== undefined) return say("The query was not sent. It is about a topic that you marked.")
      const said = answer.problem?.message ?? `${counted(answer.results.length, "result")}.`
      say(`${said} ${sayExposed(answer, { isDone: true, takes: takesProfile(state, answer.engine) })}`)
    } catch (error) {
      if (number === newest.current) fail(error)
    } finally {
      if (number === newest.current) setAsking(undefined)
    }
  }
  const open = (query: string) => {
    setTyped(query)
    document.title = query === "" ? "queryveil search" : `${query} – queryveil search`
    if (query !== "") return void search(query)
    newest.current++
    asked.current = ""
    setAsking(undefined)
    setFound(undefined)
    setTried(undefined)
  }
  useEffect(() => {
    if (addressQuery() !== "") open(addressQuery())
  }, [api])
  const reopen = useRef(open)
  reopen.current = open
  useEffect(() => {
    const back = () => addressQuery() !== asked.current && reopen.current(addressQuery())
    window.addEventListener("popstate", back)
    return () => window.removeEventListener("popstate", back)
  }, [])

  /** Asks what would be shown. Asks nothing if nothing is typed. */
  const tryOut = (query: string, delta: number) => {
    if (query !== "") return previews.ask({ query, engine: state.engine, delta })
    previews.cancel()
    setTried(undefined)
  }
  return {
    typed,
    found,
    exposed,
    isDone,
    takes,
    delta,
    asking,
    type(text: string) {
      setTyped(text)
      clearTimeout(timer.current)
      const query = text.trim()
      if (query === found?.query && delta === found.delta) {
        previews.cancel()
        setTried(undefined)
      } else timer.current = setTimeout(() => tryOut(query, delta), pause)
    },
    submit(engine?: string) {
      const query = typed.trim()
      if (query === "") return
      if (query !== addressQuery()) window.history.pushState(null, "", `?q=${encodeURIComponent(query)}`)
      document.title = `${query} – queryveil search`
      void search(query, engine)
    },
    /** Applies the person's choice for a held query. */
    choose(choice: Held["choices"][number]) {
      if (found !== undefined) void search(found.query, found.engine, choice)
    },
    /** Discards the held query without sending it. */
    giveUp() {
      setFound(undefined)
      setTried(undefined)
      say("Nothing was sent.")
    },
    moveDelta(value: number) {
      setDelta(value)
      tryOut(typed.trim(), value)
    },
    /** Draws a mark before the proxy has it. The consequences are drawn again when the proxy has it. */
    drawMark(path: string, sensitive: number) {
      if (exposed === undefined) return
      const seed = exposed.seed.map((topic) => (topic.path === path ? { ...topic, sensitive } : topic))
      setTried({ ...exposed, seed })
    },
    tryAgain: () => tryOut(typed.trim() || (found?.query ?? ""), delta),
  }
}
