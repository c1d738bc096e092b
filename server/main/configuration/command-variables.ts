/** The environment variables that commands read besides those of the configuration. */
export const commandVariables = {
  apiKey: 'FLOE_API_KEY',
  signingSecret: 'FLOE_SIGNING_SECRET',
  secretToken: 'FLOE_SECRET_TOKEN',
} as const
