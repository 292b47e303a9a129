/** A function that starts `work`. Calls while it is under way make it run once more afterwards. */
export function coalesce(work: () => Promise<unknown>): () => void {
  const asked = { again: false, busy: false }
  const run = async () => {
    asked.busy = true
    do {
      asked.again = false
      await work()
    } while (asked.again)
    asked.busy = false
  }
  return () => {
    if (asked.busy) asked.again = true
    else void run()
  }
}
