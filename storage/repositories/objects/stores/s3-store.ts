import { Readable } from 'node:stream'
import type { GetObjectCommand, GetObjectCommandInput, S3Client, S3ClientConfig } from '@aws-sdk/client-s3'
import { importSdk } from './import-sdk.ts'
import { type BucketLocation, decodePercent } from '../location.ts'
import type { ObjectStore } from '../object-store.ts'
import { readTextBody } from '../remote/read-body.ts'
import { type Answer, type Backend, formatRange, RemoteStore } from '../remote/remote-store.ts'
import { findRootedKeys } from './rooted-keys.ts'
import { makeS3Get, S3RefusedError } from './s3-get.ts'
import { toRequestFault, readMember, RequestFault, readText } from '../remote/request-fault.ts'
import type { RetryOptions } from '../remote/retry.ts'

/** Options of an S3 location. All other settings come from the usual AWS variables, files and roles. */
export type S3Options = {
  readonly region?: string | undefined
  /** URL of a service other than Amazon's. */
  readonly endpoint?: string | undefined
  /** Whether to send requests without credentials, for a public bucket. Default false. */
  readonly anonymous?: boolean | undefined
  /** Whether to put the bucket into the path of the URL instead of the host name. */
  readonly pathStyle?: boolean | undefined
}

/** Opens a prefix of a bucket. Sends no request yet. Throws {@link LocationError} when the SDK is not installed. */
export async function openS3Store(
  { bucket, prefix }: BucketLocation,
  options: S3Options,
  retryOptions?: RetryOptions,
): Promise<ObjectStore> {
  const sdk = await importSdk('@aws-sdk/client-s3', () => import('@aws-sdk/client-s3'))
  const client = await createClient(sdk.S3Client, options)
  limitTexts(client)
  const makeCommand: MakeCommand = (input) => new sdk.GetObjectCommand({ Bucket: bucket, ...input })
  // Directory buckets need sessions, which only the SDK opens.
  const isDirectoryBucket = bucket.endsWith('--x-s3')
  const get = isDirectoryBucket ? makeSdkGet(client, makeCommand) : makeS3Get(client, makeCommand({ Key: 'key' }))
  const backend: Backend = {
    root: `s3://${bucket}`,
    encodesKeys: false,
    get: async (request, signal) => {
      try {
        return await get(request, signal)
      } catch (error) {
        return interpretRefusal(readRefusal(error))
      }
    },
    list: async ({ prefix: Prefix, maxEntries, from }, abortSignal) => {
      // Request URL-encoded names, because XML cannot express every name.
      const command = new sdk.ListObjectsV2Command({
        Bucket: bucket,
        Prefix,
        Delimiter: '/',
        MaxKeys: maxEntries,
        ContinuationToken: from,
        EncodingType: 'url',
      })
      const page = await client.send(command, { abortSignal }).catch((error: unknown) => {
        throw explainRefusal(readRefusal(error))
      })
      // Not every service follows `EncodingType`.
      const decode = page.EncodingType === 'url' ? decodeKey : String
      return {
        keys: (page.Contents ?? []).map(({ Key = '' }) => decode(Key)),
        prefixes: (page.CommonPrefixes ?? []).map(({ Prefix = '' }) => decode(Prefix)),
        next: page.NextContinuationToken,
      }
    },
  }
  return new RemoteStore(prefix === '' ? findRootedKeys(backend) : backend, prefix, retryOptions)
}

type MakeCommand = (input: Omit<GetObjectCommandInput, 'Bucket'>) => GetObjectCommand

/** Makes a function that sends one GET through the SDK. */
function makeSdkGet(client: S3Client, makeCommand: MakeCommand): Backend['get'] {
  return async ({ key, range, ifNoneMatch }, abortSignal) => {
    const command = makeCommand({ Key: key, Range: formatRange(range).range, IfNoneMatch: ifNoneMatch })
    const { Body: body, ContentLength: length, ...answer } = await client.send(command, { abortSignal })
    if (!(body instanceof Readable)) throw new RequestFault({ advice: 'the answer has no body' })
    return { state: 'found', body, length, contentRange: answer.ContentRange, etag: answer.ETag }
  }
}

/** Settings for unsigned requests. The SDK requires credentials even then, so they are empty. */
const anonymous: Pick<S3ClientConfig, 'credentials' | 'signer'> = {
  credentials: { accessKeyId: '', secretAccessKey: '' },
  signer: { sign: (request) => Promise.resolve(request) },
}

async function createClient(Client: typeof S3Client, options: S3Options): Promise<S3Client> {
  const config: S3ClientConfig = {
    ...(options.region !== undefined && { region: options.region }),
    ...(options.endpoint !== undefined && { endpoint: options.endpoint }),
    ...(options.pathStyle !== undefined && { forcePathStyle: options.pathStyle }),
    ...(options.anonymous && anonymous),
    maxAttempts: 1,
    responseChecksumValidation: 'WHEN_REQUIRED',
  }
  const client = new Client(config)
  try {
    await client.config.region()
    return client
  } catch {
    // No region is configured. Use us-east-1, Amazon's first region; services without regions accept it too.
    client.destroy()
    return new Client({ ...config, region: 'us-east-1' })
  }
}

/** Limits the text of listings and errors, which the SDK reads completely. {@link RemoteStore} limits objects. */
function limitTexts({ middlewareStack }: S3Client): void {
  middlewareStack.add(
    (next, { commandName }) =>
      async (given) => {
        const result = await next(given)
        // The SDK does not declare its type, because clients use different protocols.
        const response = result.response as HttpAnswer
        const { statusCode: status, body } = response
        if ((commandName === 'GetObjectCommand' && status < 300) || !(body instanceof Readable)) return result
        // The signal of the request already ends the body, so this signal never aborts.
        response.body = Readable.from([await readTextBody(body, status, AbortSignal.any([]))])
        return result
      },
    // With this priority, it runs before everything that reads the answer.
    { step: 'deserialize', priority: 'low' },
  )
}

/** The members of the SDK's HTTP response that are used here. */
type HttpAnswer = { readonly statusCode: number; body: unknown }

/** Error codes of S3 for a missing object. Some services send no code. */
const absenceCodes = new Set(['NoSuchKey', 'NotFound', undefined])

function interpretRefusal(refusal: Refusal): Answer {
  const { status, code } = refusal
  if (status === 304) return { state: 'unchanged' }
  if (status === 416) return { state: 'beyond' }
  // A 404 with another code means that the bucket is missing.
  if (status === 404 && absenceCodes.has(code)) return { state: 'absent' }
  throw explainRefusal(refusal)
}

/** Status, error code and region of a refused request. */
type Refusal = Pick<S3RefusedError, 'status' | 'code' | 'region'>

function explainRefusal({ status, code, region }: Refusal): RequestFault {
  const isElsewhere = (status === 301 || status === 400) && region !== undefined && /^[a-z0-9-]{1,32}$/.test(region)
  return new RequestFault({
    status,
    code,
    advice: isElsewhere ? `the bucket is in the region ${region}, which region (--region) must name` : undefined,
  })
}

/** Reads the refusal from an error. Throws a {@link RequestFault} for any other error. */
function readRefusal(error: unknown): Refusal {
  if (error instanceof S3RefusedError) return error
  const status = readMember(readMember(error, '$metadata'), 'httpStatusCode')
  if (error instanceof RequestFault || typeof status !== 'number') throw toRequestFault(error, chooseAdvice(error))
  const region = readText(readMember(readMember(error, '$response'), 'headers'), 'x-amz-bucket-region')
  return { status, code: readText(error, 'name'), region }
}

function chooseAdvice(error: unknown): string | undefined {
  const isAboutCredentials = readText(error, 'name') === 'CredentialsProviderError'
  return isAboutCredentials
    ? 'no AWS credentials were found; a public bucket needs anonymous: true (--anonymous)'
    : undefined
}

/** Decodes a key of a listing. Listings encode keys like form data, with `+` for a space. */
function decodeKey(encoded: string): string {
  return decodePercent(encoded.replaceAll('+', ' '))
}
