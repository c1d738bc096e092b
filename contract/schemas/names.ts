// The names in addresses. Each is percent-decoded exactly once, before it is checked here.
import { z } from 'zod'

/**
 * Control characters are not allowed, because file systems and tools handle such names badly, and some end a path at a
 * NUL. The ranges stand for \p{Cc}, which the JSON Schema validators of other languages do not know.
 */
export const noControls = /^[^\u0000-\u001f\u007f-\u009f]*$/

/** The name of a deployment or an organisation, as the configuration gives it. */
const ConfiguredName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'must be 1 to 63 letters, digits, ".", "_" or "-"')

/** A named service of an organisation. */
export const DeploymentName = ConfiguredName.describe('Name of the deployment').meta({ examples: ['demo'] })

/** An organisation: the owner of repositories and API keys. */
export const OrgName = ConfiguredName.describe('Name of the organisation').meta({ examples: ['acme'] })

export const RepoName = z
  .string()
  .min(1, 'must not be empty')
  .max(255, 'must have at most 255 characters')
  .regex(noControls, 'must not contain control characters')
  .describe('Name of the repository')
  .meta({ examples: ['weather'] })

/** A name that people choose and read. */
export function nameForPeople(maxLength: number) {
  return z
    .string()
    .regex(noControls, 'must not contain control characters')
    .trim()
    .min(1, 'must not be empty')
    .max(maxLength, `must have at most ${maxLength} characters`)
}

/** How times are written in addresses. */
export const timeRule =
  'a date, which means its start, or `2026-11-18T06:00`, with or without seconds, up to nine decimals, and a zone ' +
  '(`Z` or `+02:00`); without a zone, the time is in UTC'

/** A time in an address, which the service parses. */
export const TimeText = z.string().max(64)

/**
 * A snapshot id, else a branch, else a tag; else the name of one of these, `@` and a time; else a branch and `@good`.
 * Control characters are allowed, because Icechunk stores such names, and every listed ref must be readable.
 */
export const RefName = z
  .string()
  .min(1)
  .max(1024)
  .describe(
    'Snapshot id, branch or tag, looked up in this order. `main@2026-11-18` is the last snapshot of `main` at or ' +
      `before a time: ${timeRule}. \`main@good\` is its last good head. In a URL, write \`/\` as \`%2F\`.`,
  )
  .meta({ examples: ['main'] })

/**
 * Path of a group; a leading and a trailing slash are ignored, and `''` is the root group. Any character is allowed, as
 * in a ref.
 */
export const GroupPath = z
  .string()
  .max(4096)
  .describe('Path of the group. In a URL, write `/` as it is or as `%2F`.')
  .meta({ examples: ['wind/speed'] })

/**
 * Id of a snapshot, never reused: 12 bytes in Crockford base32. The Icechunk reader in storage repeats the form,
 * because the contract imports nothing of storage; a test compares the two.
 */
export const SnapshotId = z
  .string()
  .regex(/^[0-9A-HJKMNP-TV-Z]{19}[0G]$/, 'must be a snapshot id: 20 characters of Crockford base32')
  .describe('Snapshot id')
  .meta({ id: 'SnapshotId', examples: ['1CECHNKREP0F1RSTCMT0'] })

/** A pattern of names or paths. The service matches it in linear time. */
export const Glob = z
  .string()
  .min(1, 'must not be empty')
  .max(255, 'must have at most 255 characters')
  .regex(
    /^[^*\u0000-\u001f\u007f-\u009f]*(?:\*+[^*\u0000-\u001f\u007f-\u009f]+){0,8}\**$/,
    'must have no control characters, and `*` in at most eight places',
  )

/** The meaning of a {@link Glob}, for descriptions. */
export const globRule = '`*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`'
