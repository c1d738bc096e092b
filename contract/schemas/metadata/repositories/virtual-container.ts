import { z } from 'zod'
import { RepoName } from '../../names.ts'
import { Count } from '../../values.ts'

const example = { prefix: 's3://noaa-gfs/', store: 's3', region: 'us-east-1', anonymous: true } as const

export const VirtualContainer = z
  .object({
    prefix: z.string().describe('The beginning of the addresses of its chunks'),
    store: z.enum(['s3', 'gcs', 'azure', 'http', 'local']).describe('Kind of store'),
    region: z.string().nullable().describe('Region of the store; null if the repository names none'),
    anonymous: z.boolean().describe('Whether the repository says that its store needs no credentials'),
  })
  .meta({
    id: 'VirtualContainer',
    description:
      'A place outside the repository from which it may take chunks, as its configuration declares it. Declared, not ' +
      'proof of use. Contains no credentials',
    examples: [example],
  })
export type VirtualContainer = z.infer<typeof VirtualContainer>

export const virtualContainerExample: VirtualContainer = example

export const SourceList = z
  .object({
    repositories: z
      .array(
        z
          .object({ name: RepoName, containers: z.array(VirtualContainer).min(1).describe('Its matching containers') })
          .meta({ id: 'DependentRepository', description: 'A repository that declares a matching container' }),
      )
      .describe('Sorted by UTF-8 bytes of their names'),
    next: RepoName.nullable().describe(
      'Send it as `before` for the next page; null on the last page. A page before it may be short, even empty, ' +
        'because a page compares at most 1,000 repositories that declare containers with the address',
    ),
    not_read: Count.describe(
      'Number of repositories whose containers are not known yet, or cannot be read; they are not listed',
    ),
    not_shown: Count.describe(
      'Number of repositories whose containers this caller must not see, because it is not published where they ' +
        'are stored; an API key of an administrator shows them',
    ),
  })
  .meta({
    id: 'SourceList',
    description: 'A page of the repositories that declare virtual chunk containers',
    examples: [{ repositories: [{ name: 'weather', containers: [example] }], next: null, not_read: 0, not_shown: 0 }],
  })
export type SourceList = z.infer<typeof SourceList>
