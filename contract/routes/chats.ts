import {
  c,
  changeProblems,
  meta,
  problems,
  repoAdministrationProblems,
  repoPrefix,
  repositoryReadProblems,
} from '../dsl.ts'
import { ReceiverCheck } from '../schemas/configuration.ts'
import { ChangedChat, NewChat, Chat, ChatChange, ChatCheck, ChatList } from '../schemas/chat.ts'
import { IfMatch, OfAdministeredRepository, OfConfiguration } from './addresses.ts'

const metadata = meta({ tag: 'chats', access: 'admin' })

/** Team chats that are told in a line of text. */
export const chats = c.router(
  {
    list: {
      method: 'GET',
      path: '',
      pathParams: OfAdministeredRepository,
      responses: { 200: ChatList, ...problems(...repoAdministrationProblems) },
      summary: 'List the chats',
      metadata,
    },
    create: {
      method: 'POST',
      path: '',
      pathParams: OfAdministeredRepository,
      body: NewChat,
      responses: {
        201: ChangedChat,
        ...problems(...repoAdministrationProblems, ...changeProblems, 'alias-in-use', 'too-many-configurations'),
      },
      summary: 'Add a chat',
      metadata,
    },
    check: {
      method: 'POST',
      path: '/test',
      pathParams: OfAdministeredRepository,
      body: ChatCheck,
      responses: {
        200: ReceiverCheck,
        ...problems(
          ...repoAdministrationProblems,
          ...changeProblems,
          ...repositoryReadProblems,
          'ref-not-found',
          'snapshot-gone',
          'configuration-not-found',
        ),
      },
      summary: 'Try a chat: sends the last commit of `main` once',
      metadata,
    },
    get: {
      method: 'GET',
      path: '/:id',
      pathParams: OfConfiguration,
      responses: { 200: Chat, ...problems(...repoAdministrationProblems, 'configuration-not-found') },
      summary: 'Read a chat',
      metadata,
    },
    update: {
      method: 'PATCH',
      path: '/:id',
      pathParams: OfConfiguration,
      headers: IfMatch,
      body: ChatChange,
      responses: {
        200: ChangedChat,
        ...problems(
          ...repoAdministrationProblems,
          ...changeProblems,
          'configuration-not-found',
          'configuration-declared',
          'alias-in-use',
          'precondition-failed',
        ),
      },
      summary: 'Change a chat',
      metadata,
    },
    delete: {
      method: 'DELETE',
      path: '/:id',
      pathParams: OfConfiguration,
      headers: IfMatch,
      responses: {
        204: c.noBody(),
        ...problems(
          ...repoAdministrationProblems,
          ...changeProblems,
          'configuration-not-found',
          'configuration-declared',
          'precondition-failed',
        ),
      },
      summary: 'Delete a chat and its deliveries',
      metadata,
    },
  },
  { pathPrefix: `${repoPrefix}/chats`, strictStatusCodes: true },
)
