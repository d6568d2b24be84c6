import type { Database, Db } from '../../../db/db.ts'
import type { Filter } from '../../../filter.ts'
import { type Achados, count, findRun, type Trecho } from './achar.ts'
import { ordersTexts } from './comparar.ts'
import { listFichas, readNovidades, readOperandos, readVista, type Vista } from './fichario.sql.ts'
import { changed, type Ficha, type Gaveta, inGavetas } from './fichas.ts'
import { comparesTexts, marksFor, type Operandos, operandosOf, type SearchScope } from './filtrar.ts'

/** Up to 1 kB each. */
const MOST = 150_000
/** Read at once. */
const BLOCK = 5_000
/** What was noted two hours ago may be gone (src/domain/cleanup/cleanup.ts). */
const FORGOTTEN_AFTER_MS = 3_600_000
const EVERY_MS = 10_000

/**
 * What accounts can be looked for by, of all of them, in memory. Which of them meet a filter, and so how many, PostgreSQL can tell
 * only by reading rows, and many filters are met by most. Whoever asks is answered from what is committed at that moment:
 *
 *   whatever changes an account notes its id and transaction (migration 0016) ──► before an answer, what was not seen yet is read
 */
export interface Fichario {
  /** Null where the database must be asked: too many accounts, or an order of texts that only it knows. */
  find(filter: Filter, scope: SearchScope, trecho: Trecho): Promise<Achados | null>
  /** Reads now and then even if nobody asks, so that nobody waits for much. Answers the way to stop. */
  start(onError: (error: unknown) => void): () => Promise<void>
}

interface Kept {
  vista: Vista
  gavetas: Gaveta[]
}

export function createFichario(db: Database, { most = MOST, block = BLOCK } = {}): Fichario {
  let kept: Kept | null = null
  let tooMany = false

  function keep(vista: Vista, gavetas: Gaveta[]): void {
    tooMany = gavetas.reduce((sum, { fichas }) => sum + fichas.length, 0) > most
    kept = tooMany ? null : { vista, gavetas }
  }

  /** Whatever changes after the vista is read once more with the next news: nothing is missed. */
  async function readAll(db: Db): Promise<void> {
    const vista = await readVista(db)
    const fichas: Ficha[] = []
    const share = sharing()
    for (let ended = false; !ended && fichas.length <= most; ) {
      const more = await listFichas(db, fichas.at(-1)?.id ?? 0, block)
      for (const ficha of more) fichas.push(share(ficha))
      ended = more.length < block
    }
    keep(vista, inGavetas(fichas))
    if (kept !== null) await readNews(db, kept)
  }

  async function readNews(db: Db, { vista, gavetas }: Kept): Promise<void> {
    const { vista: now, mudados, fichas } = await readNovidades(db, vista, block)
    if (isAnother(vista, now) || mudados.length === block) return readAll(db)
    const byId = new Map(fichas.map((ficha) => [ficha.id, ficha]))
    keep(now, mudados.length === 0 ? gavetas : changed(gavetas, mudados, byId))
  }

  /** For all who ask at the same moment; whoever comes while it is under way may know of more, and waits for the next. */
  async function bringUpToDate(db: Db, asked: null[]): Promise<null[]> {
    if (!tooMany) await (kept === null ? readAll(db) : readNews(db, kept))
    return asked
  }

  async function current(): Promise<Kept | null> {
    await db.together(bringUpToDate, null)
    return kept
  }

  return {
    async find(filter, scope, trecho) {
      const operandos = await understand(db, filter)
      const now = await current()
      if (now === null) return null
      const knowsOrder = now.vista.ordem_por_codigo
      if (comparesTexts(filter) && !knowsOrder) return null
      const marksIn = marksFor(filter, scope, operandos)
      return ordersTexts(trecho) && !knowsOrder
        ? count(now.gavetas, marksIn)
        : findRun(now.gavetas, marksIn, trecho)
    },
    start(onError) {
      let looking: Promise<unknown>
      const look = () => {
        looking = current().catch(onError)
      }
      look()
      const timer = setInterval(look, EVERY_MS).unref()
      return async () => {
        clearInterval(timer)
        await looking
      }
    },
  }
}

async function understand(db: Db, filter: Filter): Promise<Operandos> {
  const asked = operandosOf(filter)
  if (asked.textos.length + asked.momentos.length === 0) return { textos: new Map(), momentos: new Map() }
  const { textos, momentos } = await readOperandos(db, asked)
  return {
    textos: new Map(asked.textos.map((text, i) => [text, textos[i] as string])),
    momentos: new Map(asked.momentos.map((text, i) => [text, momentos[i] as number])),
  }
}

/** Another server or table, one that began anew, or notes that may be gone: what was seen there says nothing here. */
function isAnother(before: Vista, now: Vista): boolean {
  const passedMs = (now.momento - before.momento) / 1_000
  return now.servidor !== before.servidor || passedMs < 0 || passedMs > FORGOTTEN_AFTER_MS
}

/** What is equal is kept once: of places, posts and sets of groups there are few, and most emails are written as they are looked for. */
function sharing(): (ficha: Ficha) => Ficha {
  const known = new Map<string, string | number[]>()
  function shared<T extends string | number[] | null>(value: T): T {
    if (value === null) return value
    const key = String(value)
    const same = known.get(key)
    if (typeof same === typeof value) return same as T
    known.set(key, value)
    return value
  }
  return (ficha) => ({
    ...ficha,
    cidade: shared(ficha.cidade),
    estado: shared(ficha.estado),
    instituicao: shared(ficha.instituicao),
    cargo: shared(ficha.cargo),
    departamento: shared(ficha.departamento),
    cidade_busca: shared(ficha.cidade_busca),
    estado_busca: shared(ficha.estado_busca),
    instituicao_busca: shared(ficha.instituicao_busca),
    cargo_busca: shared(ficha.cargo_busca),
    departamento_busca: shared(ficha.departamento_busca),
    plano: shared(ficha.plano),
    email_busca: ficha.email_busca === ficha.email ? ficha.email : ficha.email_busca,
    grupos: shared(ficha.grupos),
  })
}
