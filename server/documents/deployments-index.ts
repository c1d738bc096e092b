import type { Deployment } from '../deployment.ts'
import type { Authenticator } from '../access/authenticate.ts'
import { setCacheHeaders } from '../metadata/answers.ts'
import type { PublicAddress } from '../web/public-address.ts'
import type { VaryingReply } from '../http/vary.ts'
import { deploymentsPage } from '../web/browse/deployments-page.ts'

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
        return { org, name, isPublic, href: address.linksOf(name, org).home }
      }),
      org: key?.org ?? null,
      home: `${address.v1}/`,
      notificationSchema: `${address.v1}/schemas/notification.json`,
      stylesheet: address.stylesheet,
    })
    return { status: 200 as const, body: page }
  }
}
