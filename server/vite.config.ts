// Bundles the script and style of the settings page; the shell of the page is server/administration/settings-pages.ts.
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defaultClientConditions, defineConfig, type Plugin } from 'vite'
import { collectLicences } from '../build/collect-licences.ts'

/** Compressed forms beside each file, so that the server makes none. */
const compressed: Plugin = {
  name: 'compressed',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const [fileName, file] of Object.entries(bundle)) {
        const content = file.type === 'chunk' ? file.code : file.source
        this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotliCompressSync(content) })
        this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipSync(content, { level: 9 }) })
      }
    },
  },
}

export default defineConfig({
  publicDir: false,
  plugins: [compressed, collectLicences],
  resolve: { conditions: ['@floe/source', ...defaultClientConditions] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'settings/dist',
    emptyOutDir: true,
    assetsDir: '',
    // Tells the server the hashed names.
    manifest: 'manifest.json',
    modulePreload: false,
    // One script and one stylesheet: the page's policy refuses styles that a script adds.
    cssCodeSplit: false,
    rolldownOptions: { input: 'settings/main.tsx', output: { format: 'iife' } },
  },
})
