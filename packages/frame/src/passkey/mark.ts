/** Mark in the address of a window for a passkey: the page of the frame, alone. */
export const ALONE = '#passkey'
