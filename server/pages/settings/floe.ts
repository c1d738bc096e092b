// Gives every component what it administers, and a way to show what has changed.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Place } from './place.ts'

export type Floe = {
  readonly place: Place
  /** Reloads the head, the webhooks and the chats. */
  readonly refresh: () => void
}

export const FloeContext = createContext<Floe | undefined>(undefined)

export function useFloe(): Floe {
  const floe = useContext(FloeContext)
  if (!floe) throw new TypeError('no FloeContext around this component')
  return floe
}
