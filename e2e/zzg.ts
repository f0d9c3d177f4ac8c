import { mkdirSync } from 'node:fs'
import { startWorld, stopAll } from './world/world.ts'

mkdirSync('/tmp/look', { recursive: true })
const world = await startWorld({})
const names = (process.env.N ?? '').split(',')
const q: Record<string, [string, number]> = {
  dark: ['theme=dark', 440],
  light: ['theme=light', 440],
  ar: ['theme=light&dir=rtl&lang=ar', 390],
  rtl: ['theme=light&dir=rtl&lang=en', 390]
}
for (const v of (process.env.V ?? 'light').split(',')) {
  const [query, width] = q[v]!
  const context = await world.browser.newContext({
    viewport: { width, height: 700 },
    colorScheme: v === 'dark' ? 'dark' : 'light',
    reducedMotion: 'reduce'
  })
  const page = await context.newPage()
  await page.goto(`${world.origin}/gallery.html?stage&${query}`)
  if (names[0] === '?') {
    console.log(await page.evaluate(() => Object.keys(window).filter((k) => /case/i.test(k))))
  }
  for (const n of names) {
    if (n === '?') continue
    await page.evaluate((n) => (window as any).showCase(n), n)
    await page.waitForTimeout(350)
    await page.screenshot({ path: `/tmp/look/${n}.${v}.png` })
  }
  await context.close()
}
await world.stop()
await stopAll()
