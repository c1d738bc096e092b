// The setting `open`: how readers open repositories without Floe. Never contains credentials.
import type { PublishedStorage } from '@floe/contract'
import { z } from 'zod'

/** Stands for the name of the repository. */
const placeholder = '{name}'

const Fixed = z
  .string()
  .min(1)
  .regex(/^[^{}]*$/, 'must not contain { or }')

const Prefix = z
  .string()
  .refine((text) => !/[{}]/.test(text.replaceAll(placeholder, '')), `must not contain { or } except in ${placeholder}`)

const Name = Prefix.min(1)

const Address = z
  .url({ protocol: /^https?$/ })
  .refine(hasNoSecrets, 'must have no credentials, query or fragment, because every reader sees it')

const options = { prefix: Prefix.default(''), anonymous: z.boolean().default(false) }

/** How to open repositories. {@link publishStorage} replaces `{name}` in its names, prefixes and `url`. */
export const StorageTemplate = z.discriminatedUnion('storage', [
  z.strictObject({
    storage: z.literal('s3'),
    bucket: Name,
    ...options,
    region: Fixed.nullable().default(null),
    endpoint: Address.pipe(Fixed).nullable().default(null),
    pathStyle: z.boolean().default(false),
  }),
  z.strictObject({ storage: z.literal('gcs'), bucket: Name, ...options }),
  z.strictObject({ storage: z.literal('azure'), account: Name, container: Name, ...options }),
  z.strictObject({
    storage: z.literal('http'),
    url: Address.pipe(Prefix).refine(
      (text) => !URL.parse(text)?.host.includes('{'),
      `must have ${placeholder} only in its path`,
    ),
  }),
])
export type StorageTemplate = z.output<typeof StorageTemplate>

/** How to open the repositories below a scanned location, which differ by their names. */
export const ScannedStorageTemplate = StorageTemplate.refine(
  (template) => Object.values(template).some((value) => typeof value === 'string' && value.includes(placeholder)),
  `must contain ${placeholder}, which stands for the name of each repository, such as in prefix: "data/${placeholder}"`,
)

/**
 * Says how to open a repository.
 *
 * @param segments its name, or the names of its directories below a scanned location
 */
export function publishStorage(template: StorageTemplate, ...segments: readonly string[]): PublishedStorage {
  const name = segments.join('/')
  // A function, because a replacement text could contain `$&`.
  const fill = (text: string) => text.replaceAll(placeholder, () => name)
  switch (template.storage) {
    case 's3': {
      const { bucket, prefix, pathStyle, ...others } = template
      return { ...others, bucket: fill(bucket), prefix: fill(prefix), path_style: pathStyle }
    }
    case 'gcs':
      return { ...template, bucket: fill(template.bucket), prefix: fill(template.prefix) }
    case 'azure': {
      const { account, container, prefix } = template
      return { ...template, account: fill(account), container: fill(container), prefix: fill(prefix) }
    }
    case 'http': {
      const encoded = segments.map(encodeURIComponent).join('/')
      return { storage: 'http', url: template.url.replaceAll(placeholder, () => encoded) }
    }
  }
}

/** Whether an address has neither credentials nor a query or fragment, which could contain some. */
export function hasNoSecrets(address: string): boolean {
  const { username = '', password = '', search = '', hash = '' } = URL.parse(address) ?? {}
  return username + password + search + hash === ''
}
