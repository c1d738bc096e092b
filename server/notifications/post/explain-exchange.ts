// Explains a failed exchange to the person who set the receiver up, and says what to do. For operators, the system's
// error code or the reason of undici's parser follows in parentheses; other codes of undici are left out. Messages name
// the host, never the path, because the path may be a secret.
import type { PeerCertificate } from 'node:tls'
import { ProxyRefusal } from '../receivers/receiver-proxy.ts'

/** No complete response arrived. The message explains the failure to the person who set the receiver up. */
export class PostError extends Error {
  override name = 'PostError'
  /** The status, if it arrived before the failure. */
  readonly status: number | undefined

  constructor(message: string, status?: number, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

/** What an exchange was waiting for. */
export type ExchangeStage = 'look-up' | 'proxy' | 'connection' | 'encryption' | 'response' | 'body'

/** An exchange that failed. */
export type FailedExchange = {
  readonly url: URL
  readonly stage: ExchangeStage
  readonly cause: unknown
  /** The time limit in milliseconds, if the exchange exceeded it. */
  readonly timedOutAfterMs: number | undefined
  /** The receiver's certificate, if it sent one. */
  readonly certificate: Pick<PeerCertificate, 'valid_from' | 'valid_to'> | undefined
  /** The setting that names further authorities. Default: that of receivers. */
  readonly authoritySetting?: string | undefined
}

/** Explains a failed exchange in one sentence, or in two separated by a semicolon. */
export function explainExchange(failed: FailedExchange): string {
  if (failed.timedOutAfterMs !== undefined) return explainTimeout(failed, failed.timedOutAfterMs)
  const { cause } = failed
  const code = readErrorCode(cause)
  const text = failures[failed.stage](failed, code)
  const detail = isParserError(cause) ? readParserReason(cause) : code
  return detail === undefined || isOfUndici(detail) ? text : `${text} (${detail})`
}

function readErrorCode(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined
}

/** Whether a code comes from undici itself, which checks some answers by assertions. */
const isOfUndici = (code: string) => code.startsWith('UND_ERR_') || code === 'ERR_ASSERTION'

/** Whether undici's parser refused an answer. These errors have no code, and their class would load undici. */
function isParserError(cause: unknown): cause is Error {
  return cause instanceof Error && cause.name === 'HTTPParserError'
}

/** Reads the parser's own words, which undici puts in parentheses at the end. */
function readParserReason({ message }: Error): string | undefined {
  return /\((.+)\)$/.exec(message)?.[1]
}

function readHostAndPort({ protocol, hostname, port }: URL) {
  return { host: hostname, port: port || (protocol === 'http:' ? '80' : '443') }
}

const checkPort = 'check the port, and firewalls'

function explainTimeout({ url, stage }: FailedExchange, ms: number): string {
  const { host, port } = readHostAndPort(url)
  const within = ms === 1_000 ? 'within 1 second' : `within ${ms / 1_000} seconds`
  const texts: { readonly [stage in ExchangeStage]: string } = {
    'look-up': `the name ${host} could not be looked up ${within}; no name server answered`,
    proxy: `the proxy of Floe did not open a connection to ${host} on port ${port} ${within}`,
    connection: `${host} did not accept a connection on port ${port} ${within}; ${checkPort} on the way`,
    encryption: `${host} did not agree on encryption ${within}; does it speak https on port ${port}?`,
    response: `${host} did not answer ${within}; a receiver should answer first and work afterwards`,
    body: `${host} did not finish its answer ${within}; a short answer is enough`,
  }
  return texts[stage]
}

const failures: { readonly [stage in ExchangeStage]: (failed: FailedExchange, code: string | undefined) => string } = {
  'look-up': explainLookUp,
  proxy: explainProxy,
  connection: explainConnection,
  encryption: explainEncryption,
  response: explainResponse,
  body: ({ url }) => `${url.hostname} broke off in the middle of its answer`,
}

function explainLookUp({ url }: FailedExchange, code: string | undefined): string {
  const { hostname: host } = url
  if (code === 'ENOTFOUND') return `${host} could not be found; check how it is spelt`
  if (code === 'ENODATA') return `${host} has no IP address`
  return `the name ${host} could not be looked up; the name server failed`
}

function explainProxy({ url, cause }: FailedExchange): string {
  const { host, port } = readHostAndPort(url)
  if (!(cause instanceof ProxyRefusal)) return 'the proxy of Floe cannot be used; check the setting notifications.proxy'
  const { status } = cause
  const answered = `the proxy of Floe answered ${status}`
  if (status === 407) return `${answered}: it takes other credentials than those of the setting notifications.proxy`
  if (status === 403) return `${answered}: it allows no connection to ${host} on port ${port}`
  return `${answered} when it was asked for a connection to ${host} on port ${port}`
}

const unreachable: ReadonlySet<string | undefined> = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN'])

function explainConnection({ url }: FailedExchange, code: string | undefined): string {
  const { host, port } = readHostAndPort(url)
  if (code === 'ECONNREFUSED') return `${host} refused the connection on port ${port}; is the receiver running?`
  if (unreachable.has(code)) return `${host} cannot be reached from where Floe runs; no network leads there`
  if (code === 'ETIMEDOUT') return `${host} did not accept a connection on port ${port}; ${checkPort}`
  if (isBrokenOff(code)) return explainEarlyClose(host, port)
  return `the connection to ${host} on port ${port} failed`
}

function explainEarlyClose(host: string, port: string): string {
  return `${host} closed the connection before encryption was agreed on; does it speak https on port ${port}?`
}

function isBrokenOff(code: string | undefined): boolean {
  return code === 'ECONNRESET' || code === 'EPIPE'
}

/** The meaning of a receiver's TLS alert (RFC 8446, section 6), by the end of OpenSSL's code for it. */
const alerts: readonly (readonly [code: string, meaning: string])[] = [
  ['_NO_APPLICATION_PROTOCOL', 'speaks HTTP/2 alone, and a receiver must speak HTTP/1.1,'],
  ['_PROTOCOL_VERSION', 'does not speak TLS 1.2 or later'],
  ['_UNSUPPORTED_PROTOCOL', 'does not speak TLS 1.2 or later'],
  ['_HANDSHAKE_FAILURE', 'asks for a client certificate, or knows none of the ciphers of Floe,'],
  ['_UNRECOGNIZED_NAME', 'has no certificate for this name'],
]

function findAlert(code: string): string | undefined {
  return alerts.find(([end]) => code.endsWith(end))?.[1]
}

/** OpenSSL's codes for a chain of certificates that does not end in a trusted one. */
const unknownAuthority: ReadonlySet<string | undefined> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** Longest list of names, in characters. */
const maxNamesLength = 200

function explainEncryption(failed: FailedExchange, code: string | undefined): string {
  const { url, cause, certificate, authoritySetting = 'notifications.extraCaFile' } = failed
  const { host, port } = readHostAndPort(url)
  const subject = `the certificate of ${host}`
  if (code === 'CERT_HAS_EXPIRED')
    return `${subject} expired ${writeDay(certificate?.valid_to, 'on') ?? 'some time ago'}; renew it`
  if (code === 'CERT_NOT_YET_VALID')
    return `${subject} is not valid ${writeDay(certificate?.valid_from, 'before') ?? 'yet'}`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `${subject} is for other names${listNames(cause)}`
  if (unknownAuthority.has(code)) {
    return (
      `${subject} is signed by an authority that Floe does not know; ` +
      `the setting ${authoritySetting} can name it, and ${host} must send its intermediate certificates along`
    )
  }
  if (isBrokenOff(code)) return explainEarlyClose(host, port)
  if (code === 'EPROTO' || code?.startsWith('ERR_SSL_'))
    return `${host} ${findAlert(code) ?? 'does not speak https'} on port ${port}`
  return `${subject} is not accepted: ${cause instanceof Error ? cause.message : String(cause)}`
}

/** Writes a time in OpenSSL's form, `Nov 20 08:28:53 2026 GMT`, as a day. */
function writeDay(time: string | undefined, word: string): string | undefined {
  const ms = time === undefined ? Number.NaN : Date.parse(time)
  return Number.isNaN(ms) ? undefined : `${word} ${new Date(ms).toISOString().slice(0, 10)}`
}

/** Lists the names of the certificate. Node.js writes them as `DNS:a.example, IP Address:127.0.0.1`. */
function listNames(cause: unknown): string {
  if (!(cause instanceof Error) || !('cert' in cause)) return ''
  const { cert } = cause
  if (typeof cert !== 'object' || cert === null || !('subjectaltname' in cert)) return ''
  const names = String(cert.subjectaltname)
    .replaceAll(/(?:DNS|IP Address):/g, '')
    .replace(/\p{Cc}/gu, '\ufffd')
  return `: ${names.length > maxNamesLength ? `${names.slice(0, maxNamesLength)}…` : names}`
}

/**
 * Codes for malformed answers that the parser does not refuse: contradictory lengths of a body, and statuses that do
 * not exist.
 */
const notHttp: ReadonlySet<string | undefined> = new Set(['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'ERR_ASSERTION'])

/** Statuses at which undici closes the connection, by its message. */
const unexpectedStatuses: ReadonlyMap<string, string> = new Map([
  ['bad response', '100 Continue'],
  ['bad upgrade', '101 Switching Protocols'],
])

function explainResponse({ url, cause }: FailedExchange, code: string | undefined): string {
  const { hostname: host } = url
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return `the headers of the answer of ${host} are longer than 16 KiB`
  // With TLS 1.3, a receiver asks for it after the handshake.
  if (code?.endsWith('_CERTIFICATE_REQUIRED')) return `${host} asks for a client certificate`
  if (code?.startsWith('ERR_SSL_')) return `${host} broke the encryption off before it answered`
  const status = cause instanceof Error ? unexpectedStatuses.get(cause.message) : undefined
  if (status !== undefined) return `${host} sent the status ${status}, which a request of Floe does not ask for`
  if (isParserError(cause) || notHttp.has(code)) return `${host} answered with something that is not HTTP`
  if (code === undefined || code === 'UND_ERR_SOCKET' || isBrokenOff(code))
    return `${host} closed the connection without an answer`
  return `${host} did not answer: ${cause instanceof Error ? cause.message : String(cause)}`
}
