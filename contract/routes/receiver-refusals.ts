// What can go wrong with webhooks and chats alike, call by call.
import { changeProblems, problems, repoAdministrationProblems, repositoryReadProblems } from '../dsl.ts'

const changing = [...repoAdministrationProblems, ...changeProblems] as const
const editing = [...changing, 'configuration-not-found', 'configuration-declared', 'precondition-failed'] as const

/** Problem responses of the calls that webhooks and chats have both. */
export const configurationRefusals = {
  list: problems(...repoAdministrationProblems),
  create: problems(...changing, 'alias-in-use', 'too-many-configurations'),
  check: problems(
    ...changing,
    ...repositoryReadProblems,
    'ref-not-found',
    'snapshot-gone',
    'configuration-not-found',
    'configuration-declared',
  ),
  get: problems(...repoAdministrationProblems, 'configuration-not-found'),
  update: problems(...editing, 'alias-in-use'),
  delete: problems(...editing),
}
