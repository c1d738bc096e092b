import { resolveHost } from '@floe/storage/addresses'
import { once } from 'node:events'
import { explainExchange, PostError } from '../../../notifications/post/explain-exchange.ts'
import { makeContexts } from '../../../notifications/post/tls-contexts.ts'
import { Tunnels } from '../../../notifications/post/tunnels.ts'
import { findProxy, type ReceiverProxy } from '../../../notifications/receivers/receiver-proxy.ts'
import type { ReceiverCertificates } from '../../configuration/read-certificates.ts'
import { describeFailure, type Finding, reportOn } from './finding.ts'

/** Time limit for one connection, in milliseconds. */
const timeoutMs = 5_000

/** Tries the proxy on the way to receivers. Sends nothing to receivers, although the proxy connects to them. */
export class ProxyCheck {
  readonly #proxy: ReceiverProxy
  readonly #tunnels: Tunnels
  readonly #signal: AbortSignal
  /** By the origin of the receiver. */
  readonly #tried = new Map<string, Promise<Pick<Finding, 'ok' | 'detail'>>>()

  constructor(proxy: ReceiverProxy, certificates: ReceiverCertificates, signal: AbortSignal) {
    this.#proxy = proxy
    this.#tunnels = new Tunnels({ proxy, resolveHost, findContext: makeContexts(certificates) })
    this.#signal = signal
  }

  /** Connects to the proxy. */
  async try(): Promise<Finding> {
    const { host, protocol } = this.#proxy.url
    const report = reportOn('proxy', host)
    const signal = this.#makeSignal()
    const socket = this.#tunnels.connect(signal)
    try {
      await once(socket, protocol === 'https:' ? 'secureConnect' : 'connect', { signal })
      return report(true, 'accepts connections')
    } catch (error) {
      return report(false, describeFailure(signal.aborted ? signal.reason : error))
    } finally {
      socket.destroy()
    }
  }

  /** Whether a receiver is reached through the proxy. */
  leadsTo(receiver: URL): boolean {
    return findProxy(this.#proxy, receiver) !== undefined
  }

  /** Lets the proxy connect to a receiver. */
  tryReceiver(receiver: URL): Promise<Pick<Finding, 'ok' | 'detail'>> {
    const tried = this.#tried.get(receiver.origin) ?? this.#open(receiver)
    this.#tried.set(receiver.origin, tried)
    return tried
  }

  async #open(url: URL): Promise<Pick<Finding, 'ok' | 'detail'>> {
    const signal = this.#makeSignal()
    try {
      const socket = await this.#tunnels.open(url, signal)
      socket.destroy()
      return { ok: true, detail: `the proxy connects to ${url.host}` }
    } catch (cause) {
      const timedOutAfterMs = signal.aborted ? timeoutMs : undefined
      if (cause instanceof PostError) return { ok: false, detail: cause.message }
      const detail = explainExchange({ url, stage: 'proxy', cause, timedOutAfterMs, certificate: undefined })
      return { ok: false, detail }
    }
  }

  #makeSignal(): AbortSignal {
    return AbortSignal.any([this.#signal, AbortSignal.timeout(timeoutMs)])
  }
}
