import { type Client, type ClientOptions, createClient } from '@floe/client'

type Place = { readonly origin: string; readonly apiKey?: string }

/** Creates a client of the private deployment of a server. */
export function createTestClient({ origin, apiKey }: Place, options: Partial<ClientOptions> = {}): Client {
  return createClient({ baseUrl: `${origin}/v1`, deployment: 'tiles', org: 'acme', apiKey, ...options })
}
