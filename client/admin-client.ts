import type { RepositoryAddress } from './addresses.ts'
import type { CallOptions } from './calls.ts'
import type { AdminMethods, AuditListQuery, DeliveriesListQuery } from './generated/admin-methods.ts'
import type * as types from './generated/types.ts'

/** Selects a page of a list, newest first. */
export type PageSelection = AuditListQuery

/** Selects entries of a list, newest first. */
export type ListSelection = Omit<PageSelection, 'limit'>

/** Selects a page of deliveries. */
export type DeliveryPageSelection = DeliveriesListQuery

/** Selects deliveries. */
export type DeliverySelection = Omit<DeliveryPageSelection, 'limit'>

/** Iterates over the entries of all pages, newest first. Reads pages as they are needed. */
export type EntryIterator<Page extends { readonly items: readonly unknown[] }> = AsyncGenerator<
  Page['items'][number],
  void,
  undefined
>

/** The methods that do more than call one route: they read all pages of a list. */
type IteratorMethods = {
  readonly repositories: {
    /** Iterates over who changed what in a repository, newest first. */
    readonly audit: (selection: RepositoryAddress & ListSelection, call?: CallOptions) => EntryIterator<types.AuditPage>
  }
  readonly deliveries: {
    /** Iterates over deliveries, newest first. */
    readonly list: (
      selection: RepositoryAddress & DeliverySelection,
      call?: CallOptions,
    ) => EntryIterator<types.DeliveryPage>
  }
  readonly orgDeliveries: {
    /** Iterates over deliveries of all repositories, newest first. */
    readonly list: (selection?: DeliverySelection, call?: CallOptions) => EntryIterator<types.DeliveryPage>
  }
  readonly keys: {
    /** Iterates over the API keys that cover no more than the caller's key, newest first. */
    readonly list: (selection?: ListSelection, call?: CallOptions) => EntryIterator<types.ApiKeyPage>
  }
  readonly sessions: {
    /** Iterates over the sessions of people with a role in the organisation, newest first. */
    readonly list: (selection?: ListSelection, call?: CallOptions) => EntryIterator<types.SessionPage>
  }
  /**
   * Iterates over who changed what in the organisation, newest first, for the repositories that the key covers. Changes
   * of API keys are listed for keys that cover the whole organisation.
   */
  readonly audit: (selection?: ListSelection, call?: CallOptions) => EntryIterator<types.AuditPage>
}

/** The methods of an administrator's client. Pass names as they are; the client encodes them. */
export type AdminClient = AdminMethods & IteratorMethods
