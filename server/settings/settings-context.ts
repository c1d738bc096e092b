// Gives every component what the page administers, and a way to reload it.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { SettingsScope } from './settings-scope.ts'

export type Settings = {
  readonly scope: SettingsScope
  /** Reloads the head, the webhooks, the chats and the expectations. */
  readonly refresh: () => void
}

export const SettingsContext = createContext<Settings | undefined>(undefined)

/** Returns what the page administers. */
export function useSettings(): Settings {
  const settings = useContext(SettingsContext)
  if (!settings) throw new TypeError('no SettingsContext around this component')
  return settings
}
