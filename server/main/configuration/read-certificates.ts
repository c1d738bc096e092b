import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { ConfigError } from './load-config.ts'

const certificate = /-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs

/**
 * Reads the file of `notifications.extraCaFile` and returns its text. The certificates are checked, because TLS would ignore invalid ones,
 * and every receiver would be refused.
 *
 * @throws ConfigError when the file cannot be read, or does not hold certificates in PEM form
 */
export async function readCertificates(file: string): Promise<string> {
  try {
    const text = await readFile(file, 'utf8')
    const certificates = (text.match(certificate) ?? []).map((pem) => new X509Certificate(pem))
    if (certificates.length === 0) throw new Error(`${file} holds no certificate in PEM form`)
    return text
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigError(`notifications.extraCaFile cannot be read: ${reason}`, { cause })
  }
}
