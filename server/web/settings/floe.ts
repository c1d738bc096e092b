// The API as the parts of the page see it.
import type { AdminClient } from '@floe/client'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

/** A client, and the repository that the page is about. */
export type Floe = { readonly client: AdminClient; readonly repo: string }

export const FloeContext = createContext<Floe | undefined>(undefined)

/** What the page talks to. */
export function useFloe(): Floe {
  const floe = useContext(FloeContext)
  if (!floe) throw new TypeError('no FloeContext around this component')
  return floe
}
