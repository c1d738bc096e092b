import type { Deployment } from '../../http/access/deployment.ts'
import type { Authenticator } from '../../http/access/authenticate.ts'
import { setCacheHeaders } from '../answers.ts'
import type { PublicAddress } from '../../pages/public-address.ts'
import { type VaryingReply } from '../../http/representation/negotiation.ts'
import { deploymentsPage } from '../../pages/browse/deployments-page.ts'

type Call = { readonly request: Parameters<Authenticator['identify']>[0]; readonly reply: VaryingReply }

/** What the page of deployments needs. */
export type IndexParts = {
  readonly deployments: readonly Deployment[]
  readonly authenticator: Authenticator
  readonly address: PublicAddress
}

/** Implements `contract.documents.index`: the start page, for people who only know the address of the service. */
export function answerDeployments({ deployments, authenticator, address }: IndexParts) {
  return async ({ request, reply }: Call) => {
    const key = await authenticator.identify(request)
    const visible = deployments.filter((one) => one.public || one.org === key?.org)
    setCacheHeaders(reply)
    const page = deploymentsPage({
      deployments: visible.map(({ org, name, public: isPublic }) => {
        return { org, name, isPublic, href: address.buildLinks(name, org).home }
      }),
      org: key?.org ?? null,
      home: `${address.v1}/`,
      notificationSchema: `${address.v1}/schemas/notification.json`,
      stylesheet: address.stylesheet,
    })
    return { status: 200 as const, body: page }
  }
}
