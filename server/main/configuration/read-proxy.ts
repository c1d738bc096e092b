import {
  parseProxy,
  ProxyAddressError,
  readEnvironmentProxy,
  type ReceiverProxy,
} from '../../notifications/receivers/receiver-proxy.ts'
import { ConfigError } from './load-config.ts'
import type { Notifications } from './sections/notifications.ts'

/**
 * Reads the proxy on the way to receivers.
 *
 * @returns undefined if there is none
 * @throws ConfigError if the variable `HTTPS_PROXY` is asked for and is no address
 */
export function readProxy(
  { proxy }: Pick<Notifications, 'proxy'>,
  environment: Readonly<Record<string, string | undefined>>,
): ReceiverProxy | undefined {
  if (proxy === null) return undefined
  if (proxy !== 'environment') return parseProxy(proxy)
  try {
    return readEnvironmentProxy(environment)
  } catch (error) {
    if (!(error instanceof ProxyAddressError)) throw error
    throw new ConfigError(`notifications.proxy names the environment, and HTTPS_PROXY ${error.message}`)
  }
}
