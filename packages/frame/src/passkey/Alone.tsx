import { useEffect, useState } from 'react'
import { language, words } from '../text/words.ts'
import type { Wish } from './webauthn.ts'
import { fulfil } from './wish.ts'

/** Page of a window that the frame opened for a passkey. It answers the frame alone, which has its own origin, and closes. */
export function Alone({ opener }: { opener: Window }) {
  const [wish, take] = useState<Wish>()
  useEffect(() => {
    const hear = ({ source, origin, data }: MessageEvent) => {
      if (source === opener && origin === location.origin && data?.type === 'wish') take(data.wish)
    }
    window.addEventListener('message', hear)
    opener.postMessage({ type: 'ready' }, location.origin)
    return () => window.removeEventListener('message', hear)
  }, [opener])
  const t = words().settings
  const go = async () => {
    if (!wish) return
    opener.postMessage({ type: 'answer', answer: await fulfil(wish) }, location.origin)
    window.close()
  }
  return (
    <section className="settings alone" lang={language()} dir={words().direction}>
      <h1>{t.passkey}</h1>
      <p className="hint">{t.passkeyAlone}</p>
      <button type="button" className="button primary" disabled={!wish} onClick={go}>
        {t.goOn}
      </button>
    </section>
  )
}
