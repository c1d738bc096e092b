import { z } from 'zod'

const assistant = 'https://assistant.example.org'
const service = 'https://floe.example.org/v1'
const abilities = { response_types: ['code'], grant_types: ['authorization_code', 'refresh_token'] }

/** RFC 8414, section 2. */
export const AuthorizationServer = z
  .object({
    issuer: z.string().describe('The public address of the service, which is also the `iss` of answers (RFC 9207)'),
    authorization_endpoint: z.string().describe('The page that asks for an API key'),
    token_endpoint: z.string().describe('Where codes and refresh tokens are exchanged'),
    revocation_endpoint: z.string().describe('Where clients end their tokens (RFC 7009)'),
    registration_endpoint: z.string().describe('Where clients register (RFC 7591)'),
    response_types_supported: z.array(z.string()).describe('Codes only'),
    response_modes_supported: z.array(z.string()).describe('Codes are sent back in the query only'),
    grant_types_supported: z.array(z.string()).describe('Codes and refresh tokens'),
    code_challenge_methods_supported: z.array(z.string()).describe('`S256` only (RFC 7636)'),
    token_endpoint_auth_methods_supported: z.array(z.string()).describe('Clients have no secrets'),
    revocation_endpoint_auth_methods_supported: z.array(z.string()).describe('Clients have no secrets'),
    authorization_response_iss_parameter_supported: z.boolean().describe('Whether answers name the issuer'),
    client_id_metadata_document_supported: z
      .boolean()
      .describe('Whether the id of a client may be the https address of a document about it'),
  })
  .meta({
    id: 'AuthorizationServer',
    description: 'Metadata of an authorization server',
    examples: [
      {
        issuer: service,
        authorization_endpoint: `${service}/oauth/authorize`,
        token_endpoint: `${service}/oauth/token`,
        revocation_endpoint: `${service}/oauth/revoke`,
        registration_endpoint: `${service}/oauth/register`,
        response_types_supported: abilities.response_types,
        response_modes_supported: ['query'],
        grant_types_supported: abilities.grant_types,
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        revocation_endpoint_auth_methods_supported: ['none'],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
      },
    ],
  })

const client = { redirect_uris: [`${assistant}/callback`], client_name: 'Assistant' }
const refresh = 'floe_refresh_...'

const clientMembers = {
  redirect_uris: z
    .array(z.string().max(1_000))
    .min(1)
    .max(20)
    .describe('Addresses to which people may be sent back: https, or http to their own computer'),
  client_name: z.string().max(200).optional().describe('Name of the client for people'),
}

/** RFC 7591, section 2. Other members of a registration are ignored. */
export const ClientMetadata = z
  .object(clientMembers)
  .meta({
    id: 'ClientMetadata',
    description: 'What a client says of itself. All clients are public: they have no secrets, whatever they ask for',
    examples: [client],
  })
export type ClientMetadata = z.infer<typeof ClientMetadata>

export const RegisteredClient = z
  .object({
    client_id: z.string().describe('Holds the registration in encrypted form, because the service does not store it'),
    ...clientMembers,
    token_endpoint_auth_method: z.literal('none').describe('The client has no secret'),
    grant_types: z.array(z.string()).describe('Codes and refresh tokens'),
    response_types: z.array(z.string()).describe('Codes'),
  })
  .meta({
    id: 'RegisteredClient',
    description: 'A client that has registered',
    examples: [{ client_id: 'sealed:0123abcd:...', ...client, ...abilities, token_endpoint_auth_method: 'none' }],
  })

/** A parameter of OAuth. */
const text = (maximum: number, description: string, example: string) =>
  z
    .string()
    .max(maximum)
    .describe(description)
    .meta({ examples: [example] })

const shared = {
  client_id: text(4_096, 'From the registration, or the https address of a document', `${assistant}/client.json`),
  redirect_uri: text(1_000, 'Where the person is sent back', `${assistant}/callback`),
  resource: text(1_000, 'What the tokens are for: an address of the service (RFC 8707)', service).optional(),
}
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

export const AuthorizationRequest = z.object({
  ...shared,
  response_type: text(100, 'Must be `code`', 'code').optional(),
  response_mode: text(100, 'Must be `query`', 'query').optional(),
  code_challenge: text(128, 'SHA-256 of the verifier, in base64url (RFC 7636)', challenge).optional(),
  code_challenge_method: text(100, 'Must be `S256`', 'S256').optional(),
  state: text(4_096, 'Sent back as it is', 'af0ifjsldkj').optional(),
})
export type AuthorizationRequest = z.infer<typeof AuthorizationRequest>

export const TokenRequest = z
  .object({
    grant_type: z.string().max(100).describe('`authorization_code` or `refresh_token`'),
    ...shared,
    code: z.string().max(200).optional().describe('Of `authorization_code`: the code'),
    redirect_uri: shared.redirect_uri.optional().describe('Of `authorization_code`: as in the request for the code'),
    code_verifier: z.string().max(128).optional().describe('Of `authorization_code`: what the challenge was made of'),
    refresh_token: z.string().max(200).optional().describe('Of `refresh_token`: the last refresh token'),
  })
  .meta({
    id: 'TokenRequest',
    description: 'A code or a refresh token, each of which can be used once',
    examples: [{ grant_type: 'refresh_token', client_id: 'sealed:0123abcd:...', refresh_token: refresh }],
  })

export type TokenRequest = z.infer<typeof TokenRequest>

export const Tokens = z
  .object({
    access_token: z.string().describe('Taken wherever the API key is, as `Authorization: Bearer`'),
    token_type: z.literal('Bearer').describe('How the access token is sent'),
    expires_in: z.int().describe('Seconds until the access token expires'),
    refresh_token: z.string().describe('For the next tokens'),
  })
  .meta({
    id: 'Tokens',
    description: 'Tokens in exchange for a code or a refresh token',
    examples: [{ access_token: 'floe_access_...', token_type: 'Bearer', expires_in: 3_600, refresh_token: refresh }],
  })

export const RevocationRequest = z
  .object({
    client_id: shared.client_id,
    token: z.string().max(200).describe('An access token or a refresh token'),
    token_type_hint: z.string().max(100).optional().describe('Ignored: tokens say what they are'),
  })
  .meta({
    id: 'RevocationRequest',
    description: 'A token that is not needed any more',
    examples: [{ client_id: 'sealed:0123abcd:...', token: refresh }],
  })

export const KeyForm = z
  .object({ key: z.string().max(200).describe('The key, as it was shown when it was made') })
  .meta({ id: 'KeyForm', description: 'An API key', examples: [{ key: 'floe_0123456789abcdef_...' }] })

/** RFC 6749, section 5.2. */
export const OAuthError = z
  .object({
    error: z.string().describe('Code of the error'),
    error_description: z.string().describe('What is wrong, for people'),
  })
  .meta({
    id: 'OAuthError',
    description: 'Why a client is refused',
    examples: [{ error: 'invalid_grant', error_description: 'The code was used before' }],
  })
export type OAuthError = z.infer<typeof OAuthError>
