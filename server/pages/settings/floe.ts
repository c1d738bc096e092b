// Gives every component the API client and the name of the repository.
import type { AdminClient } from '@floe/client'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

/** The client, and the repository of the page. */
export type Floe = { readonly client: AdminClient; readonly repo: string }

/** What {@link useFloe} reads. */
export const FloeContext = createContext<Floe | undefined>(undefined)

/** The client and repository of the surrounding `FloeContext`. */
export function useFloe(): Floe {
  const floe = useContext(FloeContext)
  if (!floe) throw new TypeError('no FloeContext around this component')
  return floe
}
