import type { Database } from '../../db/db.ts'
import { invalid } from '../../errors/catalogue.ts'
import type { LugarNoAlcance } from '../casos/statistics/alcance.ts'
import { NO_VALUE, type Ponto } from './alinhamento.ts'
import type { PeriodosPedidos, Reading } from './blocos-lidos.ts'
import { readEpizootias } from './epizootias.ts'
import { type LeituraDoLugar, readGiven } from './leitura.ts'
import { basesOf, type Derivada, type Serie } from './serie.ts'
import { listSeriesNamed } from './series.sql.ts'

/** Any series for one place: given ones as they are stored, derived ones from theirs. */
export async function readSerie(
  app: Reading,
  db: Database,
  serie: Serie,
  alcance: LugarNoAlcance,
  pedido: PeriodosPedidos,
): Promise<LeituraDoLugar> {
  const { derivada } = serie
  if (derivada === null) return readGiven(app, db, serie, alcance, pedido)
  if (derivada.tipo === 'epizootias') return readEpizootias(app, db, serie, derivada, alcance, pedido)
  if (derivada.tipo === 'media_movel' && pedido.periodo !== 'semana')
    throw invalid('query', ['periodo'], 'INCONSISTENT', { field: 'serie' })
  const codigos = basesOf(derivada)
  const found = await listSeriesNamed(db, codigos)
  const before = derivada.tipo === 'media_movel' ? derivada.semanas - 1 : 0
  const asked = { ...pedido, first: pedido.first - before }
  const bases = await Promise.all(
    codigos.map((codigo) => {
      const base = found.find((one) => one.codigo === codigo) as Serie
      return readGiven(app, db, base, alcance, asked)
    }),
  )
  const [a, b] = bases as [LeituraDoLugar, LeituraDoLugar | undefined]
  const pontos =
    derivada.tipo === 'media_movel'
      ? trailingMeans(a.pontos, derivada.semanas)
      : a.pontos.map((ponto, i) => combined(derivada, ponto, b?.pontos[i] as Ponto))
  return { pontos, nivel_valor: a.nivel_valor, lugares: bases.flatMap(({ lugares }) => lugares) }
}

function combined(derivada: Derivada, a: Ponto, b: Ponto): Ponto {
  const valor = derivedValue(derivada, a.valor, b.valor)
  const cobertura_lugar =
    a.cobertura_lugar === null || b.cobertura_lugar === null
      ? null
      : Math.min(a.cobertura_lugar, b.cobertura_lugar)
  const cobertura = Math.min(a.cobertura, b.cobertura)
  if (valor === null) return { ...NO_VALUE, cobertura, cobertura_lugar }
  return { valor, cobertura, cobertura_lugar, repetido: a.repetido || b.repetido, de: null }
}

function derivedValue(derivada: Derivada, a: number | null, b: number | null): number | null {
  if (a === null || b === null) return null
  if (derivada.tipo === 'diferenca') return a - b
  return derivada.tipo === 'razao' && b !== 0 ? (derivada.fator * a) / b : null
}

/** Means of a week and those before it; null where more than a quarter of them is missing. */
function trailingMeans(pontos: readonly Ponto[], semanas: number): Ponto[] {
  return pontos.slice(semanas - 1).map((ponto, i) => {
    const run = pontos.slice(i, i + semanas)
    const known = run.filter(({ valor }) => valor !== null)
    const cobertura = Math.round((100 * known.length) / semanas) / 100
    const { cobertura_lugar } = ponto
    if (semanas - known.length > semanas / 4) return { ...NO_VALUE, cobertura, cobertura_lugar }
    const sum = known.reduce((total, { valor }) => total + (valor as number), 0)
    const repetido = known.some((one) => one.repetido)
    return { valor: sum / known.length, cobertura, cobertura_lugar, repetido, de: null }
  })
}
