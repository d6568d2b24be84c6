import pg from 'pg'

/** Connection settings; `servers` where there are several, of which `connectionString` names the one found last. */
export interface Connection extends pg.ClientConfig {
  servers?: readonly string[]
  /** Takes a server that only reads, too. */
  readOnly?: boolean
}

/** Chooses among the servers of a connection: stays with one until it fails, then goes on to the next. */
export interface Servers {
  count: number
  current(): string | undefined
  /** Does nothing where another caller has left it already. */
  leave(server: string | undefined): void
  /** Client of the current server, for a pool. */
  Client: typeof pg.Client
  /** Refuses a standby where writes are wanted, right after connecting to it. */
  check(client: pg.ClientBase): Promise<void>
}

export function createServers({ servers = [], connectionString, readOnly = false }: Connection): Servers {
  let index = Math.max(0, servers.indexOf(connectionString ?? ''))
  const current = () => servers[index]
  class CurrentClient extends pg.Client {
    constructor(config: pg.ClientConfig) {
      const server = current()
      super(server === undefined ? config : { ...config, connectionString: server })
    }
  }
  return {
    count: Math.max(1, servers.length),
    current,
    leave(server) {
      if (servers.length > 1 && server === current()) index = (index + 1) % servers.length
    },
    Client: CurrentClient,
    async check(client) {
      if (servers.length > 1 && !readOnly) await refuseStandby(client)
    },
  }
}

/** Transient by its code: the standby may become the primary at any moment. */
export async function refuseStandby(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query('select pg_is_in_recovery() as standby')
  if (rows[0].standby) throw Object.assign(new Error('the server is a standby'), { code: '25006' })
}
