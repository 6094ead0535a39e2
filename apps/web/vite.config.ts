import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { noticesPlugin } from '../../scripts/notices.ts'

const vendor =
  /node_modules\/(react|react-dom|scheduler|i18next|use-sync-external-store|clsx|@tanstack\/(history|react-router|router-core|query-core|react-query|store|react-store))\//
const base =
  /node_modules\/@mantine\/(hooks|core\/esm\/(core|utils|components\/(ActionIcon|Button|Input|InputBase|Loader|Text|TextInput|Transition|UnstyledButton)))\/|apps\/web\/src\/lib\/(?!(clipboard|base64|save-file|save-text|text\/(Trans|clock-time|size|shell|last-segment|required-field|visible-name)|api\/(call-address|follow-cluster|fresh-read|live-stream)|changes\/(bulk-change|change|server-restart)|data\/(admin-info|permissions)|navigation\/(shown-pages|shortcuts))\.)|packages\/contract\/src\/(index|values\/units|call\/endpoint|session\/endpoints)\.ts|@tabler\/icons-react\/dist\/esm\/(?!icons)|icons\/Icon(AlertTriangle|Eye|EyeOff|FileText|InfoCircle|Key|Lock|Refresh|User|X)\.|src\/ui\/(lazy\/|icons\/|(controls\/while-busy|feedback\/Banner|values\/Gauge)\.)|vite\/preload-helper/
const kit =
  /node_modules\/(@mantine\/core|@floating-ui|@tanstack\/(react-table|table-core|react-virtual|virtual-core)|react-remove-scroll|tabbable|react-i18next|html-parse-stringify)|apps\/web\/src\/(ui\/(?!code\/)|lib\/)/

// All asset addresses are relative, so that the same build works below any base path; the server writes `<base href>`.
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  plugins: [react(), noticesPlugin(fileURLToPath(new URL('../..', import.meta.url)))],
  build: {
    outDir: fileURLToPath(new URL('../../dist/web', import.meta.url)),
    emptyOutDir: true,
    target: 'es2023',
    // The CSP allows no data: address in scripts and style sheets.
    assetsInlineLimit: 0,
    // KB: the largest one has the notices of all libraries, which are only loaded to be read.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        // A few chunks that are needed together, instead of one per shared module: a page of ours once took 48 requests.
        codeSplitting: {
          groups: [
            { name: 'vendor', test: vendor, priority: 3 },
            // What the sign-in page needs of the kit.
            { name: 'base', test: base, priority: 2 },
            { name: 'kit', test: kit, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '^/(api|ws|healthz|readyz)': { target: process.env.STOWAGE_DEV_TARGET ?? 'http://127.0.0.1:9090', ws: true },
    },
  },
})
