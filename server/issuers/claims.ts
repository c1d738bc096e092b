// What an issuer says of a person or a program.
import { z } from 'zod'

/** Characters that cannot be seen could make one person look like another. */
const visible = z.string().regex(/^[^\p{C}]+$/u)

/** OpenID Connect Core 1.0 (section 2) limits the length of a subject, RFC 5321 (erratum 1690) that of an address. */
export const PersonClaims = z.looseObject({
  sub: visible.max(255),
  email: visible.max(254).optional().catch(undefined),
})
