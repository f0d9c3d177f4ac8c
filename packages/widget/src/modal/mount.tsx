import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import type { CoreEvent, Part } from '../generated/core.ts'
import type { CreateAppKit } from '../host/options.ts'
import { matches } from '../shell/media.ts'
import { ShellContext, type ShellForViews } from '../shell/react.tsx'
import { english, type Language, LanguageContext, loadLanguage, withOwnWords } from '../text/text.tsx'
import { baseCss } from '../theme/base.css.ts'
import { curtainCss } from '../theme/curtain.css.ts'
import { adoptOnce, StyleContext } from '../theme/style.ts'
import { applyTheme } from '../theme/variables.ts'
import { FrozenStore, isShown } from './frozen.ts'
import { Modal } from './Modal.tsx'
import { OverPage } from './OverPage.tsx'
import { type Place, Stand } from './place.ts'
import { Snack } from './Snack.tsx'
import { reach } from './views.ts'

/** Media query for the card as a bottom sheet. */
const SHEET = '(max-width:429px)'

/** Media query for a window that is narrower than any phone's, or low. */
const SMALL = '(max-width:340px),(max-height:600px)'

/** Texts that the host sets, its language, and that language where it has loaded already. Default is the page's language. */
type Speech = Pick<CreateAppKit, 'locale' | 'messages'> & { readonly language?: Language | undefined }

interface MountedShell extends ShellForViews {
  /** Starts to fetch a part of the core. */
  readonly fetchPart?: (part: Part) => void
  /** Whether the core has opened the modal already. */
  readonly opened?: boolean
}

const close: CoreEvent = { feature: 'modal', event: { type: 'closeAsked' } }

/** Time that the first drawing waits for the texts of another language than English, in milliseconds. */
const LANGUAGE_TIME = 1_000

/** Language of the host or the page; `undefined` for English, and where the texts fail to load or take too long: then the first ones are English. */
export async function languageInTime({ locale }: Speech): Promise<Language | undefined> {
  const loading = loadLanguage(locale || document.documentElement.lang)?.catch(() => undefined)
  const late = () => new Promise<undefined>((resolve) => setTimeout(resolve, LANGUAGE_TIME))
  return loading && Promise.race([loading, late()])
}

/** Renders the modal into its place and follows the core from then on. Returns a function that removes it. */
export function mountModal(place: Place, shell: MountedShell, speech: Speech = {}): () => void {
  const { host, shadow, dialog } = place
  const stand = new Stand(place)
  const store = new FrozenStore(shell.store)
  const views: ShellForViews = { store, dispatch: shell.dispatch, icon: (handle) => shell.icon(handle) }
  const root = createRoot(stand.container)
  let language = withOwnWords(speech.language ?? english, speech.messages)

  const draw = () => {
    const { direction } = getComputedStyle(host)
    const apart = direction === 'rtl' && language.dir === 'ltr'
    for (const root of [stand.container, stand.overPage]) {
      root.lang = language.code
      root.dir = language.dir === 'rtl' ? 'rtl' : direction
    }
    root.render(
      <StyleContext.Provider value={shadow}>
        <LanguageContext.Provider value={{ ...language, apart }}>
          <ShellContext.Provider value={views}>
            <Modal store={store} stand={stand} live={shell.store}>
              <ShellContext.Provider value={shell}>
                <Snack />
              </ShellContext.Provider>
            </Modal>
          </ShellContext.Provider>
          <ShellContext.Provider value={shell}>
            <OverPage stand={stand} />
          </ShellContext.Provider>
        </LanguageContext.Provider>
      </StyleContext.Provider>
    )
  }
  let themed: unknown
  const theme = () => {
    const { config } = shell.store.get()
    if (config === themed) return
    themed = config
    applyTheme(host, config.themeMode, config.themeVariables)
  }
  const ask = () => shell.dispatch(close)
  const stop = new AbortController()
  const { signal } = stop

  adoptOnce(shadow, curtainCss)
  adoptOnce(shadow, baseCss)
  theme()
  flushSync(draw)
  const first = shell.store.get()
  stand.stand(first.config.embedded)
  if (first.config.embedded) {
    // The page may mount the element of an embedded modal late, or again.
    const watch = new MutationObserver(() => place.join?.())
    watch.observe(document, { childList: true, subtree: true })
    signal.addEventListener('abort', () => watch.disconnect())
  }
  // The core may open and close the modal before the views are mounted, as when a wallet agrees at once: close the dialog that the curtain
  // opened.
  if (shell.opened && !isShown(first)) stand.hide()

  let following = false
  /** Loads the swipe gesture only for visitors who see the card as a sheet. */
  const follow = () => {
    if (following || !isShown(shell.store.get()) || !matches(SHEET)) return
    following = true
    import('./swipe.ts').then(
      ({ followSwipe }) => followSwipe(dialog, ask, signal),
      // Without it the sheet still closes by its buttons.
      () => {}
    )
  }
  const ahead = (event: Event) => {
    reach(event, shell.fetchPart)
    const reached = event.target as Element
    import('../ui/cut.ts').then(
      ({ titleCut }) => titleCut(reached),
      // Without it cut texts have no titles.
      () => {}
    )
  }
  const shrink = () =>
    matches(SMALL) &&
    import('../theme/narrow.css.ts').then(
      ({ narrowCss }) => adoptOnce(shadow, narrowCss),
      // Without it long words are cut.
      () => {}
    )
  for (const sign of ['pointerover', 'focusin']) stand.container.addEventListener(sign, ahead, { signal })
  let pressedBeside = false
  dialog.addEventListener('pointerdown', ({ target }) => (pressedBeside = target === dialog), { signal })
  dialog.addEventListener('click', ({ target }) => target === dialog && pressedBeside && ask(), { signal })
  dialog.addEventListener(
    'cancel',
    (event) => {
      event.preventDefault()
      ask()
    },
    { signal }
  )
  // A browser may force a dialog to close. If the core does not allow it, the dialog reopens. The event is late: the modal may be open
  // again by now.
  dialog.addEventListener(
    'close',
    () => {
      if (dialog.open || !isShown(shell.store.get())) return
      ask()
      const after = shell.store.get()
      if (isShown(after)) stand.show(after.config.embedded)
    },
    { signal }
  )
  const forget = shell.store.subscribe(() => {
    theme()
    follow()
  })
  follow()
  shrink()
  import('./height.ts').then(
    ({ followHeight }) => followHeight(stand.container, signal),
    // Without it the card changes its height at once.
    () => {}
  )
  window.addEventListener('resize', shrink, { signal })
  if (!speech.language)
    loadLanguage(speech.locale || document.documentElement.lang)?.then(
      (loaded) => {
        language = withOwnWords(loaded, speech.messages)
        if (!signal.aborted) draw()
      },
      // Without the language file the texts stay English.
      () => {}
    )

  return () => {
    stop.abort()
    forget()
    root.unmount()
    stand.leave()
  }
}
