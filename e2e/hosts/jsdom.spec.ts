//! Tests the widget in jsdom, which hosts use for their own tests and which lacks many browser features.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { app } from './apps.ts'

it('in jsdom the buttons are drawn, and the modal opens and closes', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['run.mjs'], { cwd: app('jsdom') })
  expect(JSON.parse(stdout)).toEqual({ drawn: 'Join', opened: true, title: 'Connect Wallet', closed: true, heard: [] })
})
