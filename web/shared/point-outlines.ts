/** Outlines within 7 pixels of the centre, one for each method. */
export const outlines = [
  "M6 0A6 6 0 1 1 -6 0A6 6 0 1 1 6 0Z",
  "M-5.3 -5.3H5.3V5.3H-5.3Z",
  "M0 -7L6.5 4.6H-6.5Z",
  "M0 -7.5L6 0L0 7.5L-6 0Z",
  "M0 7L6.5 -4.6H-6.5Z",
  "M-2.3 -6.5H2.3V-2.3H6.5V2.3H2.3V6.5H-2.3V2.3H-6.5V-2.3H-2.3Z",
  "M0 -7L6.7 -2.2L4.1 5.7H-4.1L-6.7 -2.2Z",
]
/** The raw log. */
export const cross = "M-5 -5L5 5M-5 5L5 -5"
