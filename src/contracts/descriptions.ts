import type { App } from '../domain/app.ts'
import type { Contract } from '../http/server.ts'
import { contractA } from './a/index.ts'
import { contractB } from './b/index.ts'
import { usuarioDetailRoutes } from './usuario-detail.routes.ts'

/** Descriptions of the interface that are served. Retiring one: delete its folder, its import and its entry here. */
const MOUNTED = [contractA, contractB]

/** Rows that all descriptions share; the first one words their errors. */
const SHARED = [...usuarioDetailRoutes]

export const DESCRIPTIONS: Contract<App>[] = MOUNTED.map((contract, i) =>
  i === 0 ? { ...contract, rows: [...contract.rows, ...SHARED] } : contract,
)
