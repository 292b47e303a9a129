/** Runs a function after the page has handled what waits, such as a click. */
export const setImmediate = (run: () => void) => setTimeout(run, 0)
