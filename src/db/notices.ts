import type pg from 'pg'
import type { Notices } from './db.ts'
import { identifier } from './sql.ts'

/** Subscribes each pooled connection to the channels on its first use; costs one `listen` per connection and channel. */
export function createNotices(): Notices & { listenOn(client: pg.ClientBase): Promise<void> } {
  const subscribers = new Map<string, ((payload: string) => void)[]>()
  const listening = new WeakMap<pg.ClientBase, Set<string>>()

  function channelsOf(client: pg.ClientBase): Set<string> {
    const known = listening.get(client)
    if (known !== undefined) return known
    client.on('notification', ({ channel, payload = '' }) => {
      for (const onNotice of subscribers.get(channel) ?? []) onNotice(payload)
    })
    const channels = new Set<string>()
    listening.set(client, channels)
    return channels
  }

  return {
    subscribe(channel, onNotice) {
      subscribers.set(channel, [...(subscribers.get(channel) ?? []), onNotice])
    },
    async listenOn(client) {
      if (subscribers.size === 0) return
      const channels = channelsOf(client)
      if (channels.size === subscribers.size) return
      for (const channel of subscribers.keys()) {
        await client.query(`listen ${identifier(channel).text}`)
        channels.add(channel)
      }
    },
  }
}
