import { type Client, type ClientOptions, createClient } from '@floe/client'
import type { RunningServer } from '../server/start-server.ts'

/** Creates a client of the private deployment of a running server. */
export function createTestClient(server: RunningServer, options: Partial<ClientOptions> = {}): Client {
  const { origin, apiKey } = server
  return createClient({ baseUrl: `${origin}/v1`, deployment: 'tiles', org: 'acme', apiKey, ...options })
}
