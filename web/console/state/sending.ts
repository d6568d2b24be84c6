import { signal } from '@preact/signals'

/** A file on its way, or one that did not arrive, and the screen it was chosen on. */
export interface Sending {
  path: string
  name: string
  sent: number
  total: number
  isFailed: boolean
}

/** Told to the frame, which shows them while another screen is open. */
export const sending = signal<readonly Sending[]>([])

interface Upload {
  file: File
  sent: number
  state: 'sending' | 'failed' | 'done'
}

/** Tells the upload of a screen; one that arrived is a job from then on, which the list of imports shows. */
export function tellSending(path: string, upload: Upload | null): void {
  const others = sending.peek().filter((one) => one.path !== path)
  if (upload === null || upload.state === 'done') {
    if (others.length < sending.peek().length) sending.value = others
    return
  }
  const { file, sent, state } = upload
  sending.value = [...others, { path, name: file.name, sent, total: file.size, isFailed: state === 'failed' }]
}
