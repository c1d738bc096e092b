import { c, repoPrefix } from '../../dsl.ts'
import { ChangedChat, Chat, ChatChange, ChatToTest, ChatList, NewChat } from '../../schemas/administration/chat.ts'
import { collectionRoutes, itemRoutes } from './receiver-routes.ts'

/** Team chats that receive one line of text for each event. */
export const chats = c.router(
  {
    ...collectionRoutes('chats', { list: ChatList, creation: NewChat, created: ChangedChat, tested: ChatToTest }),
    ...itemRoutes('chats', { one: Chat, change: ChatChange, changed: ChangedChat }),
  },
  { pathPrefix: `${repoPrefix}/chats`, strictStatusCodes: true },
)
