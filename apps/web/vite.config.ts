import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// All asset addresses are relative, so that the same build works below any base path; the server writes `<base href>`.
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  plugins: [react()],
  build: {
    outDir: fileURLToPath(new URL('../../dist/web', import.meta.url)),
    emptyOutDir: true,
    target: 'es2023',
    // The CSP allows no data: address in scripts and style sheets.
    assetsInlineLimit: 0,
    sourcemap: false,
  },
  server: {
    proxy: {
      '^/(api|ws|healthz|readyz)': { target: process.env['STOWAGE_DEV_TARGET'] ?? 'http://127.0.0.1:9090', ws: true },
    },
  },
})
