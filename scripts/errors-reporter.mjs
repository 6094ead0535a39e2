// A reporter of vitest for `npm test`: writes the errors outside any test, which the JSON reporter leaves out.
import { writeFileSync } from 'node:fs'

export default class ErrorsReporter {
  onTestRunEnd(_modules, errors) {
    const file = process.env.STOWAGE_TEST_ERRORS
    if (!file) return
    const causes = errors.map((error) => ({
      file: error.VITEST_TEST_PATH,
      cause: error.stack ?? error.message ?? String(error),
    }))
    writeFileSync(file, JSON.stringify(causes))
  }
}
