import { constants } from 'node:crypto'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { matchesSome } from '@floe/storage/globs'

/** A certificate that identifies Floe to receivers, with its key, both in PEM form. */
export type ClientCertificate = {
  /** Patterns of the hosts that may see it. */
  readonly hosts: readonly string[]
  readonly cert: string
  readonly key: string
}

export type TlsOptions = {
  /** Certificates in PEM form, trusted in addition to those of Node.js. */
  readonly extraCa: string | undefined
  /** The first one for a host counts. */
  readonly clientCertificates: readonly ClientCertificate[]
}

/**
 * Makes the settings of TLS for each host. Made once, because reading all certificates takes longer than an exchange.
 * Renegotiation is off, because in TLS 1.2 a receiver could request one handshake after another, and each takes
 * milliseconds.
 */
export function makeContexts({ extraCa, clientCertificates }: TlsOptions): (host: string) => SecureContext {
  const common = {
    ca: extraCa === undefined ? undefined : [...getCACertificates(), extraCa],
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  }
  const usual = createSecureContext(common)
  const identified = clientCertificates.map(({ hosts, cert, key }) => ({
    hosts,
    context: createSecureContext({ ...common, cert, key }),
  }))
  return (host) => identified.find(({ hosts }) => matchesSome(hosts, host))?.context ?? usual
}
