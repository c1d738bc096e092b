// Reads Azure Blob Storage. A location names only a container, as in Icechunk's own URLs; the account is an option.
import type * as AzureSdk from '@azure/storage-blob'
import type { ContainerClient, StoragePipelineOptions } from '@azure/storage-blob'
import { makeAzureGet } from './azure-get.ts'
import { importSdk } from './import-sdk.ts'
import { type BucketLocation, LocationError } from '../location.ts'
import type { ObjectStore } from '../object-store.ts'
import { type Backend, RemoteStore } from '../remote/remote-store.ts'
import { toRequestFault, readMember, RequestFault, readText } from '../remote/request-fault.ts'
import type { RetryOptions } from '../remote/retry.ts'

export type AzureOptions = {
  /** Name of the storage account. Default: the variable `AZURE_STORAGE_ACCOUNT_NAME`. */
  readonly account?: string | undefined
  /** Whether to send requests without credentials, for a public container. Default false. */
  readonly anonymous?: boolean | undefined
}

/** Environment variables with credentials, with the names that Icechunk and Azure's tools use. */
export type AzureEnvironment = Readonly<Record<string, string | undefined>>

type Sdk = typeof AzureSdk

/**
 * Opens a prefix of a container. Sends no request yet. Throws {@link LocationError} when the SDK is not installed, or
 * the account or the credentials are missing.
 */
export async function openAzureStore(
  { bucket, prefix }: BucketLocation,
  options: AzureOptions,
  environment: AzureEnvironment,
  retryOptions?: RetryOptions,
): Promise<ObjectStore> {
  const sdk = await importSdk('@azure/storage-blob', () => import('@azure/storage-blob'))
  const container = createClient(sdk, bucket, options, environment)
  const backend: Backend = {
    root: `az://${bucket}`,
    encodesKeys: true,
    get: makeAzureGet(container),
    list: async ({ prefix, maxEntries, from }, abortSignal) => {
      const pages = container
        .listBlobsByHierarchy('/', { prefix, abortSignal })
        .byPage({ maxPageSize: maxEntries, ...(from !== undefined && { continuationToken: from }) })
      const page = await pages.next().catch((error: unknown) => {
        throw toAzureFault(error)
      })
      if (page.done) return { keys: [], prefixes: [], next: undefined }
      const { segment, continuationToken } = page.value
      return {
        keys: segment.blobItems.map(({ name }) => name),
        prefixes: (segment.blobPrefixes ?? []).map(({ name }) => name),
        // On the last page the token is an empty string.
        next: continuationToken || undefined,
      }
    },
  }
  return new RemoteStore(backend, prefix, retryOptions)
}

function createClient(
  sdk: Sdk,
  container: string,
  options: AzureOptions,
  environment: AzureEnvironment,
): ContainerClient {
  const pipeline: StoragePipelineOptions = { retryOptions: { maxTries: 1 } }
  const { AZURE_STORAGE_CONNECTION_STRING: connection, AZURE_STORAGE_ACCOUNT_KEY: key } = environment
  const account = options.account ?? environment['AZURE_STORAGE_ACCOUNT_NAME']
  if (options.account === undefined && !options.anonymous && connection) {
    try {
      return new sdk.ContainerClient(connection, container, pipeline)
    } catch {
      throw new LocationError('AZURE_STORAGE_CONNECTION_STRING is not valid')
    }
  }
  if (account === undefined || !/^[a-z0-9]{3,24}$/.test(account)) {
    throw new LocationError(
      `az://${container} needs the name of a storage account: account, or AZURE_STORAGE_ACCOUNT_NAME`,
    )
  }
  const url = `https://${account}.blob.core.windows.net/${container}`
  if (options.anonymous) return new sdk.ContainerClient(url, new sdk.AnonymousCredential(), pipeline)
  if (key) return new sdk.ContainerClient(url, new sdk.StorageSharedKeyCredential(account, key), pipeline)
  const token = environment['AZURE_STORAGE_SAS_TOKEN']
  const signed = `${url}?${token?.replace(/^\?/, '')}`
  if (token) return new sdk.ContainerClient(signed, new sdk.AnonymousCredential(), pipeline)
  const variables = 'AZURE_STORAGE_ACCOUNT_KEY, AZURE_STORAGE_SAS_TOKEN or AZURE_STORAGE_CONNECTION_STRING'
  throw new LocationError(
    `az://${container} needs ${variables}; a public container needs anonymous: true (--anonymous)`,
  )
}

function toAzureFault(error: unknown): RequestFault {
  const status = readMember(error, 'statusCode')
  if (error instanceof RequestFault || typeof status !== 'number') return toRequestFault(error)
  return new RequestFault({
    status,
    code: readText(readMember(error, 'details'), 'errorCode') ?? readText(error, 'code'),
  })
}
