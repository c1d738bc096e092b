// Lets the compiler compare the methods of the clients with the routes of the contract.
import type * as routes from '../generated/routes.ts'

type Resources = Omit<typeof routes, 'snapshotHeader'>

/** The resources whose routes `createAdminClient` has methods for. */
export type AdminResource =
  | 'repositories'
  | 'storageEvents'
  | 'webhooks'
  | 'chats'
  | 'orgWebhooks'
  | 'orgChats'
  | 'deliveries'
  | 'orgDeliveries'
  | 'keys'
  | 'audit'

/** The resources whose routes `createClient` has methods for: all others. */
export type ReaderResource = Exclude<keyof Resources, AdminResource>

/**
 * The methods of a client, by resource and name of the routes that they call. Does not compile when a route has no method. The view of a group
 * (`groupInfo`) has the same method as the view of the root (`info`).
 */
export type MethodsOf<Resource extends keyof Resources, Methods extends EveryMethod<Resource>> = Methods

type EveryMethod<Resource extends keyof Resources> = {
  readonly [Each in Resource]: { readonly [Name in keyof Resources[Each] as NameOfMethod<Name>]: Method }
}

type NameOfMethod<Name> = Name extends `group${infer View}` ? Uncapitalize<View> : Name

type Method = (...args: never[]) => unknown
