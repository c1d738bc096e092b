import { createContext } from 'preact'

/** The time of the last successful poll, in milliseconds: "now" for texts such as `3 minutes ago`. */
export const NowContext = createContext(0)
