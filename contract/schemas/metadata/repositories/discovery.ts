import { z } from 'zod'

export const RepositoryList = z
  .array(z.string())
  .describe('Names of the repositories, sorted by UTF-8 bytes')
  .meta({ id: 'RepositoryList', examples: [['satellite', 'weather']] })
export type RepositoryList = z.infer<typeof RepositoryList>

export const RefList = z
  .object({
    branches: z.array(z.string()).describe('Sorted by UTF-8 bytes; always includes `main`'),
    tags: z.array(z.string()).describe('Sorted by UTF-8 bytes'),
  })
  .meta({
    id: 'RefList',
    description: 'Branches and tags of a repository. Deleted tags are not listed',
    examples: [{ branches: ['dev', 'main'], tags: ['v1.0'] }],
  })
export type RefList = z.infer<typeof RefList>

export const DatasetList = z
  .array(z.string())
  .describe(
    'Paths of the groups that directly contain an array, without a leading slash, sorted by UTF-8 bytes; the root ' +
      'group is `""`',
  )
  .meta({ id: 'DatasetList', examples: [['forecast', 'wind/gust', 'wind/speed']] })
export type DatasetList = z.infer<typeof DatasetList>
