// What an issuer says of a person or a program.
import { z } from 'zod'

/** Characters that cannot be seen could make one person look like another. */
const visible = z.string().regex(/^[^\p{C}]+$/u)

/** A subject has at most 255 characters (OpenID Connect Core 1.0, section 2), an address 254 (RFC 5321, erratum 1690). */
export const PersonClaims = z.looseObject({
  sub: visible.max(255),
  email: visible.max(254).optional().catch(undefined),
})
