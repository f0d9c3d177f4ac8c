import { shortened } from '@portico/testkit/shortened'
import { useState } from 'react'
import type { Notice } from '../wallet/view.ts'

/** List of notices about what happened. */
export function Notices({ notices, dismiss }: { notices: readonly Notice[]; dismiss(notice: Notice): void }) {
  return (
    <div role="log" aria-label="Notifications" aria-live="polite" className="notices">
      {notices.map((notice) => (
        <div key={notice.id} className="notice" data-done={notice.until !== null || undefined} data-testid="notice">
          <p>
            <bdi>{notice.words}</bdi>
          </p>
          {notice.hash !== null && <Hash of={notice.hash} />}
          <button type="button" className="plain" aria-label="Dismiss" onClick={() => dismiss(notice)}>
            ✕
          </button>
        </div>
      ))}
    </div>
  )
}

function Hash({ of }: { of: string }) {
  const [words, say] = useState('Copy')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(of)
      say('Copied')
    } catch {
      say("Couldn't copy")
    }
  }
  return (
    <>
      <code dir="ltr" title={of} data-testid="notice-hash">
        {shortened(of)}
      </code>
      <button type="button" className="plain" aria-label={`${words}: transaction hash`} onClick={() => void copy()}>
        {words}
      </button>
    </>
  )
}
