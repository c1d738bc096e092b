// How readers open a repository without Floe, as its operator publishes it. It never has credentials.
import { z } from 'zod'

const name = z.string().min(1)
const place = { prefix: z.string().optional(), anonymous: z.boolean().default(false) }

/** An address that anybody may read: without credentials, and without a query, which may hold a signature. */
const Address = z.url({ protocol: /^https?$/ }).refine((text) => {
  const { username = '', password = '', search = '' } = URL.parse(text) ?? {}
  return username + password + search === ''
}, 'must have neither credentials nor a query, because every reader sees it')

/** The arguments of icechunk's functions of the same names, `s3_storage` and so on. */
export const PublishedStorage = z.discriminatedUnion('storage', [
  z.strictObject({
    storage: z.literal('s3'),
    bucket: name,
    ...place,
    region: name.optional(),
    endpoint: Address.optional(),
    pathStyle: z.boolean().optional(),
  }),
  z.strictObject({ storage: z.literal('gcs'), bucket: name, ...place }),
  z.strictObject({ storage: z.literal('azure'), account: name, container: name, ...place }),
  z.strictObject({ storage: z.literal('http'), url: Address }),
])
export type PublishedStorage = z.output<typeof PublishedStorage>
