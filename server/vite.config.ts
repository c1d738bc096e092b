// Bundles the script and style of the settings page; the shell of the page is server/web/settings-page.ts.
import { defaultClientConditions, defineConfig } from 'vite'

export default defineConfig({
  publicDir: false,
  resolve: { conditions: ['@floe/source', ...defaultClientConditions] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'web/settings/dist',
    emptyOutDir: true,
    assetsDir: '',
    // Tells the server the hashed names.
    manifest: 'manifest.json',
    modulePreload: false,
    // One script and one stylesheet: the page's policy refuses styles that a script adds.
    cssCodeSplit: false,
    rolldownOptions: { input: 'web/settings/main.tsx', output: { format: 'iife' } },
  },
})
