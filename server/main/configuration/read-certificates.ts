import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import type { ClientCertificate } from '../../notifications/post/tls-contexts.ts'
import { ConfigError } from './load-config.ts'
import type { Notifications } from './sections/notifications.ts'

/** The files that the configuration names. */
type CertificateFiles = Pick<Notifications, 'extraCaFile' | 'clientCertificates'>

/** The certificates in these files, in PEM form. */
export type ReceiverCertificates = {
  readonly extraCa: string | undefined
  readonly clientCertificates: readonly ClientCertificate[]
}

/**
 * Reads the certificates for receivers.
 *
 * @throws ConfigError if a file cannot be read, or does not contain what its setting is for
 */
export async function readReceiverCertificates(files: CertificateFiles): Promise<ReceiverCertificates> {
  const { extraCaFile, clientCertificates } = files
  return {
    extraCa: await readAuthorities('notifications.extraCaFile', extraCaFile),
    clientCertificates: await Promise.all(
      clientCertificates.map(({ hosts, certFile, keyFile }, index) =>
        explain(`notifications.clientCertificates.${index}`, async () => ({
          hosts,
          ...(await readIdentity(certFile, keyFile)),
        })),
      ),
    ),
  }
}

const certificate = /-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs

/**
 * Reads the certificates of authorities in the file of a setting; undefined for null. Checks them, because TLS would
 * ignore invalid ones without an error, and then refuse every host.
 *
 * @throws ConfigError if the file cannot be read, or holds no certificate
 */
export async function readAuthorities(setting: string, file: string | null): Promise<string | undefined> {
  if (file === null) return undefined
  return explain(setting, async () => {
    const text = await readFile(file, 'utf8')
    const certificates = (text.match(certificate) ?? []).map((pem) => new X509Certificate(pem))
    if (certificates.length === 0) throw new Error(`${file} holds no certificate in PEM form`)
    return text
  })
}

async function readIdentity(
  certFile: string,
  keyFile: string,
): Promise<{ readonly cert: string; readonly key: string }> {
  const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')])
  try {
    createSecureContext({ cert, key })
  } catch (cause) {
    throw new Error(`${certFile} and ${keyFile} are no certificate and its key without a passphrase`, { cause })
  }
  return { cert, key }
}

async function explain<Result>(setting: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigError(`${setting} cannot be read: ${reason}`, { cause })
  }
}
