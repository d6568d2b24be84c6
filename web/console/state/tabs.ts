/** Messages between the tabs of one browser. */
export type Message = 'entrou' | 'saiu' | 'preferencias' | 'ativo'

const channel = new BroadcastChannel('vigia')
const listeners = new Map<Message, () => void>()

channel.onmessage = ({ data }: MessageEvent<Message>) => listeners.get(data)?.()

export function tell(message: Message): void {
  channel.postMessage(message)
}

export function onMessage(message: Message, listener: () => void): void {
  listeners.set(message, listener)
}
