import type { DeclaredApiKey } from '@floe/storage/database'

/** An administrator's key that the configuration file declares. */
export const sampleDeclaredKey: DeclaredApiKey = {
  id: '0123456789abcdef',
  org: 'acme',
  role: 'admin',
  repos: null,
  expiresAt: null,
  sha256: new Uint8Array(32),
  isBootstrap: false,
}
