// Reads a directory on an HTTP server, including through a signed URL. Each object costs one GET.
import { toAnswer, type SendGet, sendGet } from '../remote/send-get.ts'
import { decodePercent } from '../location.ts'
import { type ObjectStore, ObjectStoreError } from '../object-store.ts'
import { type Backend, formatRange, RemoteStore } from '../remote/remote-store.ts'
import type { RetryOptions } from '../remote/retry.ts'

/** Options of a location behind HTTP. */
export type HttpOptions = {
  /** Headers of every request, such as `Authorization`. They replace the credentials of the URL. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

type HttpClient = { readonly retryOptions?: RetryOptions; readonly get?: SendGet }

/**
 * Opens the directory at a URL. A user name and password in the URL are sent as Basic credentials, and its query is
 * added to every request; messages contain neither, nor a header. HTTP has no listing, so `list` always throws.
 */
export function openHttpStore(
  base: URL,
  { headers = {} }: HttpOptions = {},
  { retryOptions, get = sendGet }: HttpClient = {},
): ObjectStore {
  const root = base.origin + base.pathname.replace(/\/+$/, '')
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  const credentials = { ...formatCredentials(base), ...Object.fromEntries(own) }
  const backend: Backend = {
    root,
    encodesKeys: true,
    get: async ({ key, range, ifNoneMatch }, signal) => {
      const url = new URL(`${root}/${key.split('/').map(encodeURIComponent).join('/')}${base.search}`)
      const sent = {
        ...credentials,
        ...formatRange(range),
        ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
      }
      const response = await get({ url, headers: sent }, signal)
      return toAnswer(response, response.headers.etag)
    },
    list: ({ prefix }) => {
      const what = 'HTTP has no listing, which branches and tags of a format version 1 repository need'
      return Promise.reject(new ObjectStoreError(root, prefix, what))
    },
  }
  return new RemoteStore(backend, '', retryOptions)
}

function formatCredentials({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const text = `${decodePercent(username)}:${decodePercent(password)}`
  return { authorization: `Basic ${Buffer.from(text).toString('base64')}` }
}
