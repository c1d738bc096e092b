import { type EventFilter, noticeNames } from '@floe/contract/lists'

const namesNotices = `must not name ${noticeNames.join(', ')}: only webhooks and chats of an organisation get them`
const isSet = 'is only for webhooks and chats of an organisation'

/** Lists what a filter has that only one of an organisation's receiver can have, and why that is wrong elsewhere. */
export function listOrganisationMembers({
  events = [],
  repos = null,
  search = null,
}: { readonly [Name in 'events' | 'repos' | 'search']?: EventFilter[Name] | undefined }): {
  name: string
  message: string
}[] {
  return [
    ...(noticeNames.some((notice) => events.includes(notice)) ? [{ name: 'events', message: namesNotices }] : []),
    ...(repos === null ? [] : [{ name: 'repos', message: isSet }]),
    ...(search === null ? [] : [{ name: 'search', message: isSet }]),
  ]
}
