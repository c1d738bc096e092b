// Finds the access token of the service for requests to Google Cloud.
import type { Storage } from '@google-cloud/storage'
import { importSdk } from '@floe/storage/objects'
import { type Authorize, BrokerError } from './broker-kind.ts'

/** Makes the function that adds the access token. An emulator, which `http` leads to, gets none. */
export function openGoogle(): Authorize {
  let opened: Promise<Storage> | undefined
  const open = async () => {
    const { Storage } = await importSdk('@google-cloud/storage', () => import('@google-cloud/storage'))
    // With a project, the SDK does not search for one.
    return new Storage({ projectId: 'any' })
  }
  return async ({ url, headers }) => {
    if (url.protocol === 'http:') return headers
    // Who has the token can use all that the service can.
    if (!url.hostname.endsWith('.googleapis.com'))
      throw new BrokerError('the access token is sent only to hosts of googleapis.com')
    const { authClient } = await (opened ??= open())
    return { ...headers, ...Object.fromEntries(await authClient.getRequestHeaders(url)) }
  }
}
