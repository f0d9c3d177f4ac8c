//! Clicks as a visitor makes them, who sees where a button is and waits until it stands there.

import type { Locator } from 'playwright-core'
import { expect } from 'vitest'

/** Painted pictures in which an element stays in its place. */
const PICTURES = 8

/** Waits until an element keeps its place and its size. Playwright's own check looks at two pictures, and not at the frame around one. */
export async function still(element: Locator): Promise<void> {
  await element.evaluate(
    (element, pictures) =>
      new Promise<void>((rested) => {
        let last = ''
        let same = 0
        const look = () => {
          const place = JSON.stringify(element.getBoundingClientRect())
          same = place === last ? same + 1 : 0
          last = place
          if (same < pictures) requestAnimationFrame(look)
          else rested()
        }
        look()
      }),
    PICTURES
  )
}

/**
 * Clicks a button in the frame of the embedded wallet. The browser aims at the picture that it painted last: a click into a frame that has just
 * changed its height can land beside the button.
 */
export async function clickInFrame(button: Locator): Promise<void> {
  await button.waitFor()
  await still(button.page().locator('#w3m-iframe'))
  // Playwright scrolls a frame while it waits for a button in it, and a button that moves takes no click.
  await expect.poll(() => button.isEnabled(), { timeout: 15_000 }).toBe(true)
  await button.click({ timeout: 15_000 })
}
