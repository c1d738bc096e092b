import type { CallOptions } from '@floe/client'
import { useCallback, useState } from 'preact/hooks'
import { usePolling } from './use-polling.ts'

const pollMs = 5_000
/** Entries on a page. */
const limit = 20

type Page<Item> = { readonly items: readonly Item[]; readonly next: string | null }

export type Pages = Omit<ReturnType<typeof usePages>, 'items' | 'refresh'>

/**
 * Loads a page of a list again and again, at first the newest one.
 *
 * @param load - loads a page. When it changes, the newest page of the other list is loaded.
 */
export function usePages<Item>(
  load: (
    query: { readonly limit: number; readonly before: string | undefined },
    call: CallOptions,
  ) => Promise<Page<Item>>,
) {
  const [cursor, setCursor] = useState<{ readonly load: unknown; readonly before: string | undefined }>()
  const before = cursor?.load === load ? cursor.before : undefined
  const { data, isCurrent, error, refresh } = usePolling(
    useCallback((signal) => load({ limit, before }, { signal }), [load, before]),
    pollMs,
  )
  return {
    /** The former page until the next one is loaded; undefined before the first. */
    items: data?.items,
    /** Cursor of this page; undefined for the newest page. */
    before,
    /** Cursor of the page with older entries; null when there is none, undefined while the page changes. */
    next: !data || isCurrent ? (data?.next ?? null) : undefined,
    /** Why the page could not be loaded. */
    error: isCurrent ? undefined : error,
    refresh,
    turn: (cursorOfPage: string | undefined) => setCursor({ load, before: cursorOfPage }),
  }
}
