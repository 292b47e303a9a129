/** Screens show a query in clear if at least this many users issued it. */
export const clearFrom = 10
