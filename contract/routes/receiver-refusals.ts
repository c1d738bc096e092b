// What can go wrong with webhooks and chats alike, call by call.
import { changeProblems, problems, repoAdministrationProblems, repositoryReadProblems } from '../dsl.ts'

const changing = [...repoAdministrationProblems, ...changeProblems] as const
const editing = [...changing, 'receiver-not-found', 'declared-in-file', 'precondition-failed'] as const

/** Problem responses of the calls that webhooks and chats have both. */
export const receiverRefusals = {
  list: problems(...repoAdministrationProblems),
  create: problems(...changing, 'alias-in-use', 'too-many-receivers'),
  check: problems(
    ...changing,
    ...repositoryReadProblems,
    'ref-not-found',
    'snapshot-gone',
    'receiver-not-found',
    'declared-in-file',
  ),
  get: problems(...repoAdministrationProblems, 'receiver-not-found'),
  update: problems(...editing, 'alias-in-use'),
  delete: problems(...editing),
}
