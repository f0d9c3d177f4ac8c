//! Says the sum of a run in one last line.

import type { Reporter, TestModule } from 'vitest/node'

export class Sum implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    let passed = 0
    // An error outside of every test, and a file that did not come to its tests, are failures too.
    let failed = unhandled.length
    for (const module of modules) {
      let tests = 0
      for (const test of module.children.allTests()) {
        tests += 1
        const { state } = test.result()
        if (state === 'passed') passed += 1
        else if (state === 'failed' || !module.ok()) failed += 1
      }
      if (tests === 0 && !module.ok()) failed += 1
    }
    // After the summary of the default reporter, which is written when the run has closed.
    process.once('exit', () => process.stdout.write(`${passed} passed, ${failed} failed\n`))
  }
}
