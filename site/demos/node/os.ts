/** A page runs everything on one thread. */
export const availableParallelism = () => 1
