// Sends the GETs of objects to S3 directly, because requests through the SDK cost four times as much processor time.
// The SDK still finds the endpoint and the credentials, and signs.
import type { IncomingMessage } from 'node:http'
import type { GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { readTextBody } from '../remote/read-body.ts'
import { type Backend, formatRange } from '../remote/remote-store.ts'
import { readMember, readText } from '../remote/request-fault.ts'
import { sendOnce, toAnswer } from '../remote/send-get.ts'

/** Where the objects of a bucket are. `path` ends in `/`; the key of an object follows it. */
type BucketAddress = { readonly origin: string; readonly host: string; readonly path: string }

type Signer = Awaited<ReturnType<S3Client['config']['signer']>>

/** S3 answered a request with an error. */
export class S3RefusedError extends Error {
  override name = 'S3RefusedError'
  readonly status: number
  readonly code: string | undefined
  /** The region of the bucket, if S3 names it. */
  readonly region: string | undefined

  constructor(status: number, code: string | undefined, region: string | undefined) {
    super(`S3 answered ${status}`)
    this.status = status
    this.code = code
    this.region = region
  }
}

/**
 * Makes a function that sends one GET. It throws {@link S3RefusedError}, {@link RequestFault} and the errors of the
 * SDK.
 *
 * @param command a command for the object `key` of the bucket
 */
export function makeS3Get(client: S3Client, command: GetObjectCommand): Backend['get'] {
  let opened: Promise<{ readonly address: BucketAddress; readonly signer: Signer }> | undefined
  const open = async () => ({ address: await findAddress(client, command), signer: await client.config.signer() })
  /** How many milliseconds the clock of S3 is ahead. S3 refuses requests that were signed over 15 minutes ago. */
  let aheadMs = 0
  return async ({ key, range, ifNoneMatch }, signal) => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw error
    })
    const { address, signer } = await opened
    const { origin, host, path } = address
    const target = path + key.split('/').map(encodeSegment).join('/')
    const headers = { host, ...formatRange(range), ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }) }
    const unsigned = { method: 'GET', protocol: 'https:', hostname: host, path: target, query: {}, headers }
    const signed = await signer.sign(unsigned, { signingDate: new Date(Date.now() + aheadMs) })
    const response = await sendOnce(new URL(origin + target), { headers: signed.headers, signal })
    const { statusCode: status = 0 } = response
    if (status < 300 || status === 304 || status === 416) return toAnswer(response, response.headers.etag)
    const code = await readCode(response, signal)
    const date = Date.parse(response.headers.date ?? '')
    if (code === 'RequestTimeTooSkewed' && !Number.isNaN(date)) aheadMs = date - Date.now()
    throw new S3RefusedError(status, code, readText(response.headers, 'x-amz-bucket-region'))
  }
}

/** Lets the SDK build a request for the object `key`, and takes the address of the bucket from it. Sends nothing. */
async function findAddress(client: S3Client, command: GetObjectCommand): Promise<BucketAddress> {
  let request: unknown
  const captureRequest = () => (given: { readonly request: unknown }) => {
    request = given.request
    return Promise.resolve({ output: { $metadata: {} }, response: {} })
  }
  command.middlewareStack.add(captureRequest, { step: 'build', priority: 'high' })
  await client.send(command)
  const [protocol, hostname, path] = ['protocol', 'hostname', 'path'].map((name) => readText(request, name))
  if (protocol === undefined || hostname === undefined || !path?.endsWith('/key')) {
    throw new TypeError('the SDK of S3 made a request of an unknown form')
  }
  const port = readMember(request, 'port')
  const host = typeof port === 'number' ? `${hostname}:${port}` : hostname
  return { origin: `${protocol}//${host}`, host, path: path.slice(0, -'key'.length) }
}

/** Percent-encodes part of a key as signatures require: everything except letters, digits and `-._~`. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Reads the error code in the answer of a refused request; undefined when it has none. */
async function readCode(response: IncomingMessage, signal: AbortSignal): Promise<string | undefined> {
  const text = await readTextBody(response, response.statusCode, signal)
  return /<Code>([^<]{1,100})<\/Code>/.exec(text)?.[1]
}
