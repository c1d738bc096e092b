import { c, meta, repoPrefix } from '../dsl.ts'
import { ReceiverCheck } from '../schemas/receiver.ts'
import { ChangedChat, Chat, ChatChange, ChatCheck, ChatList, NewChat } from '../schemas/chat.ts'
import { IfMatch, OfAdministeredRepository, OfReceiver } from './addresses.ts'
import { receiverRefusals as refusals } from './receiver-refusals.ts'

const metadata = meta({ tag: 'chats', access: 'admin' })
const versioned = meta({ ...metadata, headers: ['ETag'] })
const created = meta({ ...metadata, headers: ['ETag', 'Location'] })

/** Team chats that are told in a line of text. */
export const chats = c.router(
  {
    list: {
      method: 'GET',
      path: '',
      pathParams: OfAdministeredRepository,
      responses: { 200: ChatList, ...refusals.list },
      summary: 'List the chats',
      metadata,
    },
    create: {
      method: 'POST',
      path: '',
      pathParams: OfAdministeredRepository,
      body: NewChat,
      responses: { 201: ChangedChat, ...refusals.create },
      summary: 'Add a chat',
      metadata: created,
    },
    check: {
      method: 'POST',
      path: '/test',
      pathParams: OfAdministeredRepository,
      body: ChatCheck,
      responses: { 200: ReceiverCheck, ...refusals.check },
      summary: 'Try a chat: sends the last commit of `main` once',
      metadata,
    },
    get: {
      method: 'GET',
      path: '/:id',
      pathParams: OfReceiver,
      responses: { 200: Chat, ...refusals.get },
      summary: 'Read a chat',
      metadata: versioned,
    },
    update: {
      method: 'PATCH',
      path: '/:id',
      pathParams: OfReceiver,
      headers: IfMatch,
      body: ChatChange,
      responses: { 200: ChangedChat, ...refusals.update },
      summary: 'Change a chat',
      metadata: versioned,
    },
    delete: {
      method: 'DELETE',
      path: '/:id',
      pathParams: OfReceiver,
      headers: IfMatch,
      responses: { 204: c.noBody(), ...refusals.delete },
      summary: 'Delete a chat and its deliveries',
      metadata,
    },
  },
  { pathPrefix: `${repoPrefix}/chats`, strictStatusCodes: true },
)
