// Reads Google Cloud Storage. The SDK finds the credentials and the URL of the service. Its read functions accept no
// signal, no condition and no byte limit, so this module sends the two requests of the JSON API itself.
import type { IncomingMessage } from 'node:http'
import { toAnswer, drop, sendGet } from '../remote/send-get.ts'
import { importSdk } from './import-sdk.ts'
import type { BucketLocation } from '../location.ts'
import type { ObjectStore } from '../object-store.ts'
import { readTextBody } from '../remote/read-body.ts'
import { type Backend, formatRange, type ListPage, RemoteStore } from '../remote/remote-store.ts'
import { toRequestFault, readMember, RequestFault, readText } from '../remote/request-fault.ts'
import type { RetryOptions } from '../remote/retry.ts'

/** Opens a prefix of a bucket. Sends no request yet. Throws {@link LocationError} when the SDK is not installed. */
export async function openGcsStore(
  { bucket, prefix }: BucketLocation,
  { anonymous = false }: { readonly anonymous?: boolean | undefined },
  retryOptions?: RetryOptions,
): Promise<ObjectStore> {
  const { Storage } = await importSdk('@google-cloud/storage', () => import('@google-cloud/storage'))
  // Reading needs no project. Without a project, the SDK searches for one before the first read: it runs `gcloud` and
  // queries Google's metadata server, which can exceed the time limit of a read.
  const storage = new Storage({ projectId: 'any' })
  const objects = `${storage.apiEndpoint}/storage/v1/b/${encodeURIComponent(bucket)}/o`
  const send = async (url: URL, headers: Record<string, string>, signal: AbortSignal) => {
    // Like the SDK, treat a custom endpoint as an emulator, which needs no credentials.
    const credentials = anonymous || storage.customEndpoint ? {} : await requestCredentials(storage.authClient, url)
    return sendGet({ url, headers: { ...headers, ...credentials } }, signal)
  }
  const backend: Backend = {
    root: `gs://${bucket}`,
    encodesKeys: true,
    get: async ({ key, range, ifNoneMatch }, signal) => {
      const url = new URL(`${objects}/${encodeURIComponent(key)}?alt=media`)
      if (ifNoneMatch !== undefined) url.searchParams.set('ifGenerationNotMatch', ifNoneMatch)
      const response = await send(url, formatRange(range), signal)
      // Each write gives an object a new generation, so the generation serves as etag.
      return toAnswer(response, readText(response.headers, 'x-goog-generation'))
    },
    list: async ({ prefix, maxEntries, from }, signal) => {
      const url = new URL(objects)
      url.search = String(
        new URLSearchParams({
          delimiter: '/',
          prefix,
          maxResults: String(maxEntries),
          fields: 'items(name),prefixes,nextPageToken',
          ...(from !== undefined && { pageToken: from }),
        }),
      )
      return readPage(await send(url, {}, signal), signal)
    },
  }
  return new RemoteStore(backend, prefix, retryOptions)
}

type AuthClient = { getRequestHeaders(url: URL): Promise<Headers> }

async function requestCredentials(client: AuthClient, url: URL): Promise<Record<string, string>> {
  try {
    return Object.fromEntries(await client.getRequestHeaders(url))
  } catch (error) {
    throw explainMissingToken(error)
  }
}

/** How messages of google-auth-library begin when it has no credentials. It gives these errors no code. */
const noCredentials = /^(?:Could not load the default credentials|Unable to read the credential file)/

function explainMissingToken(error: unknown): RequestFault {
  const status = readMember(readMember(error, 'response'), 'status')
  const advice = noCredentials.test(readText(error, 'message') ?? '')
    ? 'no Google credentials were found; a public bucket needs anonymous: true (--anonymous)'
    : 'Google gave no token for the credentials'
  const { code } = toRequestFault(error)
  return new RequestFault({ status: typeof status === 'number' ? status : undefined, code, advice })
}

async function readPage(response: IncomingMessage, signal: AbortSignal): Promise<ListPage> {
  if (response.statusCode !== 200) {
    drop(response)
    throw new RequestFault({ status: response.statusCode })
  }
  return parsePage(await readTextBody(response, 200, signal))
}

function parsePage(json: string): ListPage {
  let page: unknown
  try {
    page = JSON.parse(json)
  } catch {
    throw new RequestFault({ advice: 'the listing is not JSON' })
  }
  const keys = readList(page, 'items').map((item) => readText(item, 'name') ?? '')
  const prefixes = readList(page, 'prefixes').filter((prefix) => typeof prefix === 'string')
  return { keys, prefixes, next: readText(page, 'nextPageToken') }
}

function readList(page: unknown, member: string): readonly unknown[] {
  const list = readMember(page, member)
  return Array.isArray(list) ? list : []
}
