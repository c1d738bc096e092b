import type { RequestListener, ServerResponse } from 'node:http'
import type { Test } from 'tap'
import { openAzureStore } from '../../../../../storage/repositories/objects/stores/azure-store.ts'
import { openGcsStore } from '../../../../../storage/repositories/objects/stores/gcs-store.ts'
import { openHttpStore } from '../../../../../storage/repositories/objects/stores/http-store.ts'
import type { ObjectStore } from '../../../../../storage/repositories/objects/index.ts'
import type { RetryOptions } from '../../../../../storage/repositories/objects/remote/retry.ts'
import { openS3Store } from '../../../../../storage/repositories/objects/stores/s3-store.ts'
import { startLoopback } from '../loopback-server.ts'

/** How a provider's store is opened, and how its service refuses a request. */
export type Dialect = {
  readonly open: (origin: string, retryOptions: RetryOptions) => ObjectStore | Promise<ObjectStore>
  /** Refuses a request as the service does. */
  readonly refuse: (response: ServerResponse, status: number, code: string, body?: string) => void
  /** Whether the store reads an error code from a refusal. Plain HTTP has none, and Google's is not read. */
  readonly tellsCodes: boolean
  /** Whether the store can list. */
  readonly lists: boolean
}

/** Part of every credential. Neither an error nor a store may show it. */
export const secret = 'HUSH0123456789abcdef'
Object.assign(process.env, {
  AWS_ACCESS_KEY_ID: `AKIA${secret}`,
  AWS_SECRET_ACCESS_KEY: `key${secret}`,
  AWS_SESSION_TOKEN: `session${secret}`,
})

const refuseBare = (response: ServerResponse, status: number, code: string, body = code) =>
  void response.writeHead(status).end(body)

/** A dialect for each provider. */
export const dialects = {
  http: {
    open: (origin, retryOptions) => {
      const base = new URL(`${origin}/root?signature=${secret}`)
      base.username = 'user'
      base.password = secret
      return openHttpStore(base, { headers: { 'X-Api-Key': secret } }, { retryOptions })
    },
    refuse: refuseBare,
    tellsCodes: false,
    lists: false,
  },
  s3: {
    open: (endpoint, retryOptions) =>
      openS3Store({ kind: 's3', bucket: 'bucket', prefix: '' }, { endpoint, pathStyle: true }, retryOptions),
    refuse: (response, status, code, body = '') => {
      response.writeHead(status, { 'content-type': 'application/xml' })
      response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${body}</Message></Error>`)
    },
    tellsCodes: true,
    lists: true,
  },
  gs: {
    open: (origin, retryOptions) => {
      process.env['STORAGE_EMULATOR_HOST'] = origin
      return openGcsStore({ kind: 'gs', bucket: 'bucket', prefix: '' }, {}, retryOptions)
    },
    refuse: refuseBare,
    tellsCodes: false,
    lists: true,
  },
  az: {
    open: (origin, retryOptions) => {
      const connection = `BlobEndpoint=${origin}/account;SharedAccessSignature=sv=2026-01-01&sig=${secret}`
      const environment = { AZURE_STORAGE_CONNECTION_STRING: connection }
      return openAzureStore({ kind: 'az', bucket: 'container', prefix: '' }, {}, environment, retryOptions)
    },
    refuse: (response, status, code, body = '') => {
      response.writeHead(status, { 'content-type': 'application/xml', 'x-ms-error-code': code })
      response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${body}</Message></Error>`)
    },
    tellsCodes: true,
    lists: true,
  },
} satisfies Record<string, Dialect>

/** Headers of an object, as all services send them. */
export const headers = { etag: '"1"', 'x-goog-generation': '1', 'last-modified': new Date(0).toUTCString() }

/** Sends an object with 7 bytes. */
export const sendObject: RequestListener = (_request, response) => {
  response.writeHead(200, { ...headers, 'content-length': 7 }).end('content')
}

/** Starts a server and opens a store that reads from it. `waits` lists the waits between tries, in milliseconds. */
export async function openAgainst(
  t: Test,
  dialect: Dialect,
  listener: RequestListener,
  retryOptions: Partial<RetryOptions> = {},
) {
  const { origin, requests } = await startLoopback(t, listener)
  const waits: number[] = []
  const wait = async (ms: number) => void waits.push(ms)
  const store = await dialect.open(origin, { answerWithinMs: 60_000, random: () => 0.5, wait, ...retryOptions })
  const read = (maxBytes = 1_000, signal = new AbortController().signal) => store.read('repo', { maxBytes, signal })
  return { store, read, requests, waits }
}

/** Without waits between tries. */
export const hasty: RetryOptions = { answerWithinMs: 60_000, random: () => 0, wait: async () => undefined }
