// Gives every component the API client, the name of the repository, and a way to show what has changed.
import type { AdminClient } from '@floe/client'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

export type Floe = {
  readonly client: AdminClient
  readonly repo: string
  /** Reloads the head, the webhooks and the chats. */
  readonly refresh: () => void
}

export const FloeContext = createContext<Floe | undefined>(undefined)

export function useFloe(): Floe {
  const floe = useContext(FloeContext)
  if (!floe) throw new TypeError('no FloeContext around this component')
  return floe
}
