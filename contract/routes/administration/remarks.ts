import { c, changeProblems, meta, problems, repoAdministrationProblems, repositoryReadProblems } from '../../dsl.ts'
import { repoPrefix } from '../../http/paths.ts'
import { Remark, RemarkChange, RemarkCreation, RemarkList } from '../../schemas/metadata/remarks.ts'
import { OfAdministeredRepository, OfRemark } from '../../schemas/addresses.ts'

const metadata = meta({ tag: 'remarks', access: 'admin' })
const changing = [...repoAdministrationProblems, ...changeProblems] as const

/** What administrators say of a repository. */
export const remarks = c.router(
  {
    list: {
      method: 'GET',
      path: '',
      pathParams: OfAdministeredRepository,
      responses: { 200: RemarkList, ...problems(...repoAdministrationProblems) },
      summary: 'List remarks',
      description: 'Returns all notes and retractions of the repository, oldest first.',
      metadata,
    },
    create: {
      method: 'POST',
      path: '',
      pathParams: OfAdministeredRepository,
      body: RemarkCreation,
      responses: {
        201: Remark,
        ...problems(...changing, ...repositoryReadProblems, 'ref-not-found', 'group-not-found', 'too-many-remarks'),
      },
      summary: 'Post a note or a retraction',
      description:
        'Posts a remark, which readers see wherever what it is about is shown. The event `NotePosted` or ' +
        '`SnapshotRetracted` is recorded. The snapshots of a range are those of the history of `to` from `from` on, ' +
        'at present.',
      metadata: meta({ ...metadata, headers: ['location'] }),
    },
    get: {
      method: 'GET',
      path: '/:id',
      pathParams: OfRemark,
      responses: { 200: Remark, ...problems(...repoAdministrationProblems, 'remark-not-found') },
      summary: 'Get a remark',
      description: 'Returns one note or retraction.',
      metadata,
    },
    update: {
      method: 'PATCH',
      path: '/:id',
      pathParams: OfRemark,
      body: RemarkChange,
      responses: { 200: Remark, ...problems(...changing, 'remark-not-found') },
      summary: 'Change a remark',
      description:
        'Changes the members that are sent and leaves the others as they are. What a remark is about cannot be ' +
        'changed. No event is recorded.',
      metadata,
    },
    delete: {
      method: 'DELETE',
      path: '/:id',
      pathParams: OfRemark,
      responses: { 204: c.noBody(), ...problems(...changing, 'remark-not-found') },
      summary: 'Delete a remark',
      description: 'Deletes a note, or takes a retraction back. No event is recorded.',
      metadata,
    },
  },
  { pathPrefix: `${repoPrefix}/remarks` },
)
