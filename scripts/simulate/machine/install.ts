// Replaces everything of Node.js that waits, reads a clock or is random. Import this before everything else, so that
// dependencies use the machine too.
import { syncBuiltinESMExports } from 'node:module'
import { patchFiles } from './patch-files.ts'
import { patchNetwork } from './patch-network.ts'
import { patchRandom } from './patch-random.ts'
import { patchThreads } from './patch-threads.ts'
import { patchTime } from './patch-time.ts'
import zlib from 'node:zlib'

patchRandom()
patchTime()
patchFiles()
patchNetwork()
patchThreads()
patchCompression()
syncBuiltinESMExports()

/** Compresses at once instead of in the pool of threads. */
function patchCompression(): void {
  type Compress = (body: Buffer, options: object, callback: (error: Error | null, result?: Buffer) => void) => void
  const atOnce =
    (compress: (body: Buffer, options: object) => Buffer): Compress =>
    (body, options, callback) => {
      try {
        callback(null, compress(body, options))
      } catch (error) {
        callback(error instanceof Error ? error : new Error(String(error)))
      }
    }
  Object.assign(zlib, {
    zstdCompress: atOnce(zlib.zstdCompressSync),
    zstdDecompress: atOnce(zlib.zstdDecompressSync),
    gzip: atOnce(zlib.gzipSync),
    brotliCompress: atOnce(zlib.brotliCompressSync),
  })
}
