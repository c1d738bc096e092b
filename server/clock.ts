/** Milliseconds since 1970, as `Date.now` gives them; a parameter wherever time decides something. */
export type Clock = () => number
