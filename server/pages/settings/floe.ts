// Gives every component the API client and the name of the repository.
import type { AdminClient } from '@floe/client'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

export type Floe = { readonly client: AdminClient; readonly repo: string }

export const FloeContext = createContext<Floe | undefined>(undefined)

export function useFloe(): Floe {
  const floe = useContext(FloeContext)
  if (!floe) throw new TypeError('no FloeContext around this component')
  return floe
}
