import type { SettingsPage } from '../generated/frame.ts'
import { language, words } from '../text/words.ts'
import { Code, Email } from './Email.tsx'
import { Confirm, Explain } from './Explain.tsx'
import { Farcaster } from './Farcaster.tsx'
import { Kit } from './Kit.tsx'
import { Locked, Login } from './Locked.tsx'
import { Overview } from './Overview.tsx'
import { Password } from './Password.tsx'
import { Press, type Shown } from './parts.tsx'
import { Words } from './Words.tsx'

const pages: Readonly<Record<SettingsPage, (shown: Shown) => unknown>> = {
  loading: Loading,
  lost: Lost,
  overview: Overview,
  locked: Locked,
  login: Login,
  explain: Explain,
  confirm: Confirm,
  words: Words,
  kit: Kit,
  password: Password,
  email: Email,
  code: Code,
  farcaster: Farcaster
}

/** Settings of the wallet. */
export function SettingsView(shown: Shown) {
  const Page = pages[shown.settings.page] as typeof Overview
  const { direction } = words()
  return (
    <section className="settings" lang={language()} dir={direction} aria-busy={shown.settings.busy}>
      <Page {...shown} />
    </section>
  )
}

function Loading() {
  const t = words().settings
  return (
    <>
      <h1>{t.title}</h1>
      <p role="status">{t.loading}</p>
    </>
  )
}

function Lost({ dispatch }: Shown) {
  const t = words().settings
  return (
    <>
      <h1>{t.title}</h1>
      <p className="hint" role="alert">
        {t.lost}
      </p>
      <Press kind="primary" act={() => dispatch({ type: 'settingsLeft' })}>
        {t.again}
      </Press>
      <Press act={() => dispatch({ type: 'settingsClosed' })}>{t.done}</Press>
    </>
  )
}
