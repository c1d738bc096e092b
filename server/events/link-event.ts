import type { Notification } from '@floe/contract'
import { type Deployment, serves } from '../deployment.ts'
import { buildPageLinks, type PageLinks } from '../pages/page-links.ts'
import { eventTexts } from './event-lines.ts'

/** Longest link, so that a message has room for its line. */
const maxLinkLength = 1_000

/**
 * Returns the address of the page that shows the event of a payload, its repository, or all repositories; undefined if
 * there is none.
 */
export type LinkEvent = (payload: string, page?: 'event' | 'repository' | 'home') => string | undefined

/**
 * Makes the function that links to pages of a service. They are those of the first deployment that serves the
 * repository. Without the public address of the service, nothing is linked.
 */
export function makeLinkEvent({
  baseUrl,
  deployments,
}: {
  readonly baseUrl: string | null
  readonly deployments: readonly Pick<Deployment, 'name' | 'org' | 'repos'>[]
}): LinkEvent {
  if (baseUrl === null) return () => undefined
  return (payload, page = 'event') => {
    const { event, details } = JSON.parse(payload) as Notification // `describeEvent` wrote it, maybe of another version
    const { org_name: org, repo_name: repo } = details
    const deployment = deployments.find((deployment) => deployment.org === org && serves(deployment, repo))
    if (deployment === undefined || !Object.hasOwn(eventTexts, event)) return undefined
    // TypeScript does not see that the details are those of this event.
    const findPage = eventTexts[event].page as (details: object, links: PageLinks) => string
    const links = buildPageLinks(baseUrl, deployment.name, org, '')
    const link = {
      event: () => findPage(details, links),
      repository: () => links.repository(repo),
      home: () => links.home,
    }[page]()
    // Some services end an address at one of these.
    const encoded = link.replaceAll(/[!()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    return encoded.length > maxLinkLength ? undefined : encoded
  }
}
