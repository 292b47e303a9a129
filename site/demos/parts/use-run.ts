import { useEffect, useState } from "preact/hooks"

/** What an asynchronous run returned last. It runs again when `key` changes; what an older run returns is dropped. */
export function useRun<T>(run: () => Promise<T>, key: string): T | undefined {
  const [result, setResult] = useState<T>()
  useEffect(() => {
    let isLatest = true
    run().then((found) => isLatest && setResult(found))
    return () => {
      isLatest = false
    }
    // `key` stands for everything that the run depends on.
  }, [key])
  return result
}
