import { RepoName } from '@floe/contract'
import { z } from 'zod'
import { ScannedStorageTemplate, StorageTemplate } from '../../../catalog/published-storage.ts'
import { StoreHeaders } from './store-headers.ts'

/** Options for access to an object store. Each kind of location takes some of them. */
const access = {
  region: z.string().min(1).optional(),
  endpoint: z.url({ protocol: /^https?$/ }).optional(),
  anonymous: z.boolean().optional(),
  pathStyle: z.boolean().optional(),
  account: z.string().min(1).optional(),
  headers: StoreHeaders.optional(),
}

/** A repository, or a location whose repositories are found by scans. */
export const RepositorySource = z.union(
  [
    z.strictObject({ name: RepoName, location: z.string().min(1), open: StorageTemplate.optional(), ...access }),
    z.strictObject({
      scan: z.string().min(1),
      depth: z.literal([1, 2]).optional(),
      open: ScannedStorageTemplate.optional(),
      ...access,
    }),
  ],
  { error: explainNearest },
)

/** Explains a value that fits no alternative by the one with the fewest mistakes, which was probably meant. */
function explainNearest(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'invalid_union') return undefined
  const [nearest] = issue.errors.toSorted((one, other) => one.length - other.length)
  return nearest?.map(({ path, message }) => [...path, message].join(': ')).join('; ')
}
