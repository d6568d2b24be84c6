import type { Db } from '../../db/db.ts'
import type { App } from '../app.ts'
import { emit } from '../eventos/eventos.ts'
import {
  type Autor,
  type BlocoNovo,
  listBlocosByKey,
  saveSummary,
  summarise,
  writeBlocos,
} from './blocos.sql.ts'
import { codeOfPeriod, firstDayOfPeriod, type Periodo, periodAt, SLOTS, slotOf, yearOf } from './periodos.ts'
import type { Serie } from './serie.ts'

/** Writing of values: compared with the stored blocks, which change only where a value does. */

/** Slot that is to lose its value; NaN: untouched. */
export const REMOVED = Number.POSITIVE_INFINITY

interface BlocoColhido {
  serie: Serie
  lugar: string
  ano: number
  slots: Float64Array
}

/** Values to be written, by series, place and year. */
export class Colheita {
  readonly #blocos = new Map<string, BlocoColhido>()
  /** Block of the value before: files give those of a place and year after each other. */
  #last: BlocoColhido | null = null
  valores = 0

  /** False where the slot holds another value already. */
  add(serie: Serie, lugar: string, index: number, valor: number): 'novo' | 'igual' | 'outro' {
    const ano = yearOf(serie.periodo, index)
    const last = this.#last
    const isSame = last !== null && last.ano === ano && last.serie === serie && last.lugar === lugar
    const { slots } = isSame ? last : this.#blocoOf(serie, lugar, ano)
    const slot = slotOf(serie.periodo, index)
    const before = slots[slot] as number
    if (!Number.isNaN(before)) return before === valor ? 'igual' : 'outro'
    slots[slot] = valor
    this.valores += 1
    return 'novo'
  }

  #blocoOf(serie: Serie, lugar: string, ano: number): BlocoColhido {
    const key = `${serie.id}/${lugar}/${ano}`
    let bloco = this.#blocos.get(key)
    if (bloco === undefined) {
      const slots = new Float64Array(SLOTS[serie.periodo]).fill(Number.NaN)
      bloco = { serie, lugar, ano, slots }
      this.#blocos.set(key, bloco)
    }
    this.#last = bloco
    return bloco
  }

  get blocos() {
    return [...this.#blocos.values()]
  }

  get size(): number {
    return this.#blocos.size
  }
}

export interface Efeito {
  novos: number
  alterados: number
  apagados: number
  inalterados: number
}

/** Effect on one series. */
export interface EfeitoNaSerie extends Efeito {
  serie: Serie
  /** Values, places and ends of what was sent. */
  valores: number
  lugares: Set<string>
  primeiro: number
  ultimo: number
}

const BATCH = 256

/** Compares, and writes where there is an author. The series are locked by the caller of a writing. */
export async function storeBlocos(
  tx: Db,
  colheita: Colheita,
  autor: Autor | null,
  step: (share: number) => Promise<void> = async () => {},
): Promise<EfeitoNaSerie[]> {
  const effects = new Map<number, EfeitoNaSerie>()
  const { blocos } = colheita
  for (let i = 0; i < blocos.length; i += BATCH) {
    const batch = blocos.slice(i, i + BATCH)
    const stored = await listBlocosByKey(tx, {
      series: batch.map(({ serie }) => serie.id),
      lugares: batch.map(({ lugar }) => lugar),
      anos: batch.map(({ ano }) => ano),
    })
    const byKey = new Map(
      stored.map((bloco) => [`${bloco.serie_id}/${bloco.lugar}/${bloco.ano}`, bloco.valores]),
    )
    const changed: BlocoNovo[] = []
    for (const bloco of batch) {
      const { serie, lugar, ano, slots } = bloco
      const effect = effects.get(serie.id) ?? startOf(serie)
      effects.set(serie.id, effect)
      const novo = merged(byKey.get(`${serie.id}/${lugar}/${ano}`), slots, bloco, effect)
      if (novo !== undefined) changed.push({ serie, lugar, ano, valores: novo })
    }
    if (autor !== null) await writeBlocos(tx, changed, autor)
    await step((i + batch.length) / blocos.length)
  }
  return [...effects.values()]
}

export const startOf = (serie: Serie): EfeitoNaSerie => ({
  serie,
  novos: 0,
  alterados: 0,
  apagados: 0,
  inalterados: 0,
  valores: 0,
  lugares: new Set(),
  primeiro: Number.POSITIVE_INFINITY,
  ultimo: Number.NEGATIVE_INFINITY,
})

/** The block after the change; undefined: it stays as it is; null: it is empty. */
function merged(
  before: Float64Array | undefined,
  slots: Float64Array,
  { serie, lugar, ano }: { serie: Serie; lugar: string; ano: number },
  effect: EfeitoNaSerie,
): Float64Array | null | undefined {
  const after = before?.slice() ?? new Float64Array(slots.length).fill(Number.NaN)
  let [sent, last, isChanged] = [0, 0, false]
  for (let slot = 0; slot < slots.length; slot++) {
    const given = slots[slot] as number
    if (Number.isNaN(given)) continue
    const valor = given === REMOVED ? Number.NaN : given
    const old = after[slot] as number
    if (sent === 0) effect.primeiro = Math.min(effect.primeiro, periodAt(serie.periodo, ano, slot) as number)
    sent += 1
    last = slot
    if (Object.is(old, valor)) effect.inalterados += 1
    else {
      isChanged = true
      if (Number.isNaN(old)) effect.novos += 1
      else if (Number.isNaN(valor)) effect.apagados += 1
      else effect.alterados += 1
      after[slot] = valor
    }
  }
  if (sent > 0) {
    effect.valores += sent
    effect.lugares.add(lugar)
    effect.ultimo = Math.max(effect.ultimo, periodAt(serie.periodo, ano, last) as number)
  }
  if (!isChanged) return undefined
  return after.some((valor) => !Number.isNaN(valor)) ? after : null
}

/** Keeps the summary of the series and tells of the change; nothing where nothing changed. */
export async function announceChange(
  { clock }: Pick<App, 'clock'>,
  tx: Db,
  effect: EfeitoNaSerie,
  importacaoId: number,
): Promise<void> {
  const { serie, novos, alterados, apagados } = effect
  if (novos + alterados + apagados === 0) return
  await refreshSummary(tx, serie, clock.now())
  await emit(tx, [
    {
      tipo: 'serie.atualizada',
      chave: `serie:${serie.id}`,
      dados: {
        codigo: serie.codigo,
        importacao_id: importacaoId,
        lugares: effect.lugares.size,
        valores_novos: novos,
        valores_alterados: alterados + apagados,
        primeiro: codeOfPeriod(serie.periodo, effect.primeiro),
        ultimo: codeOfPeriod(serie.periodo, effect.ultimo),
      },
      em: clock.now(),
    },
  ])
}

export async function refreshSummary(tx: Db, { id, periodo }: Serie, now: Date): Promise<void> {
  const { valores, lugares, primeiro, ultimo } = await summarise(tx, id)
  const ends = { primeiro: dayAt(periodo, primeiro), ultimo: dayAt(periodo, ultimo) }
  await saveSummary(tx, id, { valores: Number(valores), lugares, ...ends }, now)
}

function dayAt(periodo: Periodo, end: { ano: number; slot: number } | null): string | null {
  const index = end && periodAt(periodo, end.ano, end.slot)
  return index === null ? null : firstDayOfPeriod(periodo, index)
}
