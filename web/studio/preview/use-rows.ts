import { useEffect, useRef, useState } from "preact/hooks"
import type { RowsPage } from "../answers.ts"
import type { Sorting } from "../sort-rows.ts"
import type { Studio } from "../studio.ts"

/** Rows of one page; the server decides, this is for words alone. */
export const pageRows = 50
/** Milliseconds without typing before rows are searched. */
const pause = 250

/** What is shown of a draft's rows. */
export interface RowsView {
  file: string | undefined
  page: number
  sorting: Sorting | undefined
  search: string
}

/** A page of rows and its number, asked for after a pause in typing. The answer to the newest question wins. */
export function useRows(studio: Studio, { file, page, sorting, search }: RowsView, made: string) {
  const { api, fail } = studio
  const [rows, setRows] = useState<RowsPage & { page: number }>()
  const searched = useRef("")
  const [isLoading, setLoading] = useState(true)
  const column = sorting?.column
  const descending = sorting?.descending ?? false
  useEffect(() => {
    let isNewest = made !== ""
    setLoading(true)
    const body = {
      page,
      ...(file !== undefined && { file }),
      ...(column !== undefined && { sort: column, descending }),
      ...(search !== "" && { search }),
    }
    const timer = setTimeout(
      () => {
        searched.current = search
        api
          .rows(body)
          .then(
            (found) => isNewest && setRows({ ...found, page }),
            (error: unknown) => isNewest && fail(error),
          )
          .finally(() => isNewest && setLoading(false))
      },
      search === searched.current ? 0 : pause,
    )
    return () => {
      isNewest = false
      clearTimeout(timer)
    }
  }, [api, fail, file, page, column, descending, search, made])
  return { rows, isLoading }
}
