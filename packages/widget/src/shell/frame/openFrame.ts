//! Creation of the frame, and what it is told about its page.

import { field, toJson } from '../json.ts'
import { metadataOf } from '../relay/metadata.ts'
import { addressOf, here } from './address.ts'
import { Frame } from './Frame.ts'
import type { FrameHandParts } from './hands.ts'

/** Puts the frame into the page; `ready` resolves once it has said that it is ready. */
export function openFrame(parts: FrameHandParts, chain: string | null): { frame: Frame; ready: Promise<void> } {
  const place = parts.place()
  if (!place) throw new Error("Can't use the embedded wallet without a modal")
  const frame = new Frame({ place, dispatch: parts.dispatch }, addressOf(parts.options(), chain))
  return { frame, ready: frame.open() }
}

/** Payload of what the page tells the frame (spec 7.31, 7.32), and of a social login, which may have to come back to this page. */
export function told(
  event: 'SYNC_DAPP_DATA' | 'SYNC_THEME' | 'GET_SOCIAL_REDIRECT_URI',
  parts: FrameHandParts,
  payload: unknown
): unknown {
  if (event === 'GET_SOCIAL_REDIRECT_URI') {
    return { provider: field(payload, 'provider'), back: here() }
  }
  const { config } = parts.snapshot()
  // The core names a theme that was chosen in this moment, which no snapshot has yet.
  if (event === 'SYNC_THEME')
    return payload ?? { themeMode: config.themeMode, themeVariables: toJson(config.themeVariables) }
  const options = parts.options()
  return {
    metadata: toJson(metadataOf(options)),
    sdkVersion: 'portico',
    sdkType: config.sdkType,
    projectId: options.projectId
  }
}
