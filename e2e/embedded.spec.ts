import { describe, expect, it } from 'vitest'
import { violations } from './pages/axe.ts'
import { EMBEDDED_ACCOUNT, frameOf, SIGNATURE, serveFrame, toldTo, walletBeside } from './pages/frame.ts'
import { connected, disconnected, open } from './pages/journey.ts'
import { clickInFrame } from './pages/still.ts'
import { useWorld } from './use-world.ts'
import { STRICT_CSP } from './world/server.ts'
import type { Visit } from './world/visit.ts'

/** The strict policy, with the frame of the guide. */
const world = useWorld({ csp: `${STRICT_CSP}; frame-src http://*:4999` })
const wallet = () => walletBeside(world.origin)

function visiting(): Promise<Visit> {
  const page = `/?login=${encodeURIComponent(wallet())}&testkit=off&relays=off`
  return world.visit(page, { alone: true, prepare: (page) => serveFrame(page, wallet()) })
}

/** Goes from a fresh page to the field of the code. */
async function mailed(): Promise<Visit> {
  const visit = await visiting()
  await open(visit)
  await visit.modal.part('email-input').fill('alice@example.org')
  await visit.modal.part('email-continue').click()
  await visit.modal.part('otp-input').waitFor()
  return visit
}

async function loggedIn(): Promise<Visit> {
  const visit = await mailed()
  await visit.modal.part('otp-input').fill('123456')
  await visit.modal.gone()
  await connected(visit)
  return visit
}

/** Asks the embedded wallet for a signature, as a library of the page does. */
function sign(visit: Visit): Promise<unknown> {
  return visit.page.evaluate(`window.kit.getWalletProvider().request({
    method: 'personal_sign', params: ['0x68656c6c6f', '${EMBEDDED_ACCOUNT}']
  }).catch(({ code, message }) => ({ code, message }))`)
}

describe('the embedded wallet', () => {
  it('spec_7_14_7_16_and_4_35_logs_in_with_the_code_of_a_mail_and_stays_so_after_a_reload', async () => {
    const visit = await mailed()
    expect(await visit.modal.title.textContent()).toBe('Confirm Email')
    await visit.modal.says('alice@example.org')
    expect(await violations(visit.page)).toEqual([])
    await visit.modal.part('otp-input').fill('000000')
    await visit.modal.says('Wrong code. Check the mail.')
    await visit.modal.part('otp-input').fill('123456')
    await visit.modal.gone()
    await connected(visit)
    expect(await visit.page.evaluate(() => window.kit?.getAddress())).toBe(EMBEDDED_ACCOUNT)
    await visit.page.reload()
    await connected(visit)
    expect(await visit.page.evaluate(() => window.kit?.getAddress())).toBe(EMBEDDED_ACCOUNT)
  })

  it('spec_4_33_a_page_on_which_nobody_logs_in_asks_nothing_of_the_wallets_origin', async () => {
    const visit = await visiting()
    await open(visit)
    await visit.modal.part('email-input').waitFor()
    expect(await violations(visit.page)).toEqual([])
    expect(visit.requests.filter((url) => url.startsWith(wallet()))).toEqual([])
    expect(await visit.page.locator('#w3m-iframe').count()).toBe(0)
  })

  it('spec_2_26_and_4_39_shows_the_frame_for_an_approval_that_only_a_click_in_it_gives', async () => {
    const visit = await loggedIn()
    const signed = sign(visit)
    await expect.poll(() => visit.modal.title.textContent()).toBe('Approve Transaction')
    const approve = frameOf(visit.page).getByRole('button', { name: 'Approve' })
    await approve.waitFor()
    await approve.click()
    expect(await signed).toBe(SIGNATURE)
    await visit.modal.gone()
    expect(await visit.page.locator('#w3m-iframe').isVisible(), 'the frame is hidden again').toBe(false)
  })

  it('spec_4_38_and_8_37_a_declined_and_a_closed_request_are_rejected', async () => {
    const visit = await loggedIn()
    const declined = sign(visit)
    await clickInFrame(frameOf(visit.page).getByRole('button', { name: 'Decline' }))
    expect(await declined).toEqual({ code: 4001, message: 'Declined' })
    await visit.modal.gone()
    const closed = sign(visit)
    await frameOf(visit.page).getByRole('button', { name: 'Approve' }).waitFor()
    await visit.modal.closeButton.click()
    expect(await closed).toEqual({ code: 4001, message: 'Request was aborted' })
  })

  it('spec_3_26_3_27_and_9_14_hears_of_the_host_its_theme_and_version_4', async () => {
    const visit = await loggedIn()
    const address = new URL((await visit.page.locator('#w3m-iframe').getAttribute('src')) ?? '')
    expect(address.searchParams.get('version')).toBe('4')
    expect(await toldTo(visit.page, wallet(), 'host')).toMatchObject({
      metadata: {
        name: expect.stringMatching(/./),
        description: expect.any(String),
        url: expect.stringContaining('http'),
        icons: expect.any(Array)
      },
      sdkVersion: expect.stringMatching(/./),
      sdkType: 'appkit',
      projectId: 'demo'
    })
    await visit.page.evaluate(
      `window.kit.setThemeMode('dark'); window.kit.setThemeVariables({ '--w3m-accent': '#c00040' })`
    )
    const signed = sign(visit)
    await clickInFrame(frameOf(visit.page).getByRole('button', { name: 'Approve' }))
    expect(await signed).toBe(SIGNATURE)
    expect(await toldTo(visit.page, wallet(), 'theme')).toEqual({
      themeMode: 'dark',
      themeVariables: { '--w3m-accent': '#c00040' }
    })
  })

  it('spec_4_37_disconnecting_ends_the_session_in_the_frame', async () => {
    const visit = await loggedIn()
    await visit.page.evaluate(() => window.kit?.disconnect())
    await disconnected(visit)
    await visit.page.reload()
    await disconnected(visit)
    expect(await visit.page.evaluate(() => localStorage.getItem('@appkit-wallet/EMAIL_LOGIN_USED_KEY'))).toBe(null)
  })
})
