//! Creation of the frame, and what it is told about its page.

import { toJson } from '../json.ts'
import { metadataOf } from '../relay/metadata.ts'
import { addressOf } from './address.ts'
import { Frame } from './Frame.ts'
import type { FrameHandParts } from './hands.ts'

/** Puts the frame into the page; `ready` resolves once it has said that it is ready. */
export function openFrame(parts: FrameHandParts, chain: string | null): { frame: Frame; ready: Promise<void> } {
  const place = parts.place()
  if (!place) throw new Error('The page has no modal for the embedded wallet')
  const frame = new Frame({ place, dispatch: parts.dispatch }, addressOf(parts.options(), chain))
  return { frame, ready: frame.open() }
}

/** Payload of what the page tells the frame (spec 7.31, 7.32). */
export function told(event: 'SYNC_DAPP_DATA' | 'SYNC_THEME', parts: FrameHandParts): unknown {
  const { config } = parts.snapshot()
  if (event === 'SYNC_THEME') return { themeMode: config.themeMode, themeVariables: toJson(config.themeVariables) }
  const options = parts.options()
  return {
    metadata: toJson(metadataOf(options)),
    sdkVersion: 'portico',
    sdkType: config.sdkType,
    projectId: options.projectId
  }
}
