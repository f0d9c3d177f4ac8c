import { chromium } from 'playwright-core'
const names = process.argv.slice(4); const q = process.argv[3]; const [w,h] = process.argv[2].split('x').map(Number)
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--headless=new','--no-sandbox','--disable-gpu'], ignoreDefaultArgs: ['--headless'] })
const p = await b.newPage({ viewport: { width: w, height: h }, reducedMotion: 'reduce' })
await p.goto('http://127.0.0.1:8099/gallery.html?stage&' + q)
await p.waitForFunction(() => 'showCase' in window)
for (const n of names) { await p.evaluate((n) => window.showCase(n), n); await p.waitForTimeout(350)
 const c = p.getByTestId('w3m-modal-card'); await c.screenshot({ path: `/tmp/shots/${n}.${w}.png` }) }
await b.close()
