import { z } from 'zod'

const prefix = z.string().describe('Where the repository begins in the bucket or container; empty at its root')
const anonymous = z.boolean().describe('Whether anyone may read; otherwise readers need credentials of their own')

export const openAddressExample = 'https://floe.example.org/v1/services/demo/acme/_meta/open/weather'

export const OpenAddress = z
  .string()
  .nullable()
  .describe(
    'Address that opens the repository, for `redirect_storage` of Icechunk. Null if no redirect can lead to where it ' +
      'is stored',
  )

/** A repository in S3 that anyone may read. */
export const storageExample = {
  storage: 's3',
  bucket: 'acme-open',
  prefix: 'weather',
  region: 'eu-north-1',
  endpoint: null,
  path_style: false,
  anonymous: true,
} as const

/** The arguments of the functions of icechunk that open a storage: `s3_storage`, `gcs_storage` and so on. */
export const PublishedStorage = z
  .discriminatedUnion('storage', [
    z.object({
      storage: z.literal('s3').describe('Amazon S3, or a store that works like it'),
      bucket: z.string().describe('Name of the bucket'),
      prefix,
      region: z.string().nullable().describe('Region of the bucket; null if it is not published'),
      endpoint: z.string().nullable().describe('Address of the service; null for Amazon S3'),
      path_style: z.boolean().describe('Whether the bucket is in the path of addresses, not in the name of the host'),
      anonymous,
    }),
    z.object({
      storage: z.literal('gcs').describe('Google Cloud Storage'),
      bucket: z.string().describe('Name of the bucket'),
      prefix,
      anonymous,
    }),
    z.object({
      storage: z.literal('azure').describe('Azure Blob Storage'),
      account: z.string().describe('Name of the storage account'),
      container: z.string().describe('Name of the container'),
      prefix,
      anonymous,
    }),
    z.object({
      storage: z.literal('http').describe('A web server'),
      url: z.string().describe('Address of the repository'),
    }),
  ])
  .meta({
    id: 'PublishedStorage',
    description: 'Where to open a repository with Icechunk, without this service. Contains no credentials',
    examples: [storageExample],
  })
export type PublishedStorage = z.infer<typeof PublishedStorage>
