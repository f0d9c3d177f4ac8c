//! Prints the pages of failed tests, and the sum of a run as the last line.

import type { Reporter, TestModule } from 'vitest/node'

export class Sum implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const pages: string[] = []
    let passed = 0
    // Errors outside of tests, and files that failed before their tests, count as failures too.
    let failed = unhandled.length
    for (const module of modules) {
      let tests = 0
      for (const test of module.children.allTests()) {
        tests += 1
        const { state } = test.result()
        if (state === 'passed') passed += 1
        else if (state === 'failed' || !module.ok()) failed += 1
        for (const page of test.meta().pages ?? []) pages.push(`The page of "${test.fullName}":\n${page}\n`)
      }
      if (tests === 0 && !module.ok()) failed += 1
    }
    // Written at exit, after the default reporter's summary.
    process.once('exit', () => process.stdout.write(`${pages.join('')}${passed} passed, ${failed} failed\n`))
  }
}
