import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { useTestFolder } from './scripts/test-folder.ts'

useTestFolder()

/** Milliseconds for which tests wait for something to appear; `npm run mutants` waits less. */
const waitMs = Number(process.env.STOWAGE_TEST_WAIT_MS ?? 40_000)

// Four kinds of tests, one runner: unit beside the code, http and browser against the built program, kube against an API
// server.
export default defineConfig({
  test: {
    projects: [
      {
        plugins: [react()],
        test: {
          name: 'unit',
          // Tests mostly wait for disks and clocks, so run more than there are cores.
          maxWorkers: 3,
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/*/src/**/*.test.{ts,tsx}',
            'sandbox/*/src/**/*.test.ts',
            'scripts/**/*.test.ts',
            'tests/mutants/**/*.test.ts',
          ],
          testTimeout: 60_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        test: {
          name: 'http',
          maxWorkers: 3,
          include: ['tests/http/**/*.test.ts', 'tests/attack/**/*.test.ts', 'tests/fuzz/**/*.test.ts'],
          globalSetup: ['tests/support/console/global.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: waitMs } },
          env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
        },
      },
      {
        test: {
          name: 'cost',
          // CPU times are compared, so one file at a time.
          maxWorkers: 1,
          include: ['tests/cost/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'kube',
          include: ['sandbox/tests/**/*.test.ts'],
          globalSetup: ['sandbox/tests/support/global.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          globalSetup: ['tests/support/console/global.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // Same as Playwright's timeout.
          expect: { poll: { timeout: waitMs } },
          // Each file starts a program and a browser, so two workers on two cores.
          maxWorkers: 2,
        },
      },
    ],
  },
})
