export {
  type AddressRules,
  isLocalName,
  checkAddresses,
  makeAddressRules,
  NetworkError,
  parseNetwork,
} from './address-rules.ts'
export { makeLookup, readHost } from './checked-lookup.ts'
export { findAddresses, HostNotFoundError, type ResolveHost, resolveHost } from './resolve-host.ts'
