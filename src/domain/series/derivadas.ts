import type { Database, Db } from '../../db/db.ts'
import { invalid } from '../../errors/catalogue.ts'
import type { LugarNoAlcance } from '../casos/statistics/alcance.ts'
import { canAlign, NO_VALUE, type Ponto } from './alinhamento.ts'
import type { PeriodosPedidos, Reading } from './blocos-lidos.ts'
import { type DerivadaDeEpizootias, readEpizootias } from './epizootias.ts'
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
  const { bases, asked } = await listBases(db, derivada, pedido)
  const lidas = await Promise.all(bases.map((base) => readGiven(app, db, base, alcance, asked)))
  return {
    pontos: derivedPontos(
      derivada,
      lidas.map(({ pontos }) => pontos),
    ),
    nivel_valor: (lidas[0] as LeituraDoLugar).nivel_valor,
    lugares: lidas.flatMap(({ lugares }) => lugares),
  }
}

type DerivadaDeSeries = Exclude<Derivada, DerivadaDeEpizootias>

/** Given series that a derived one is computed from, and the periods of them that it needs. */
export async function listBases(
  db: Db,
  derivada: DerivadaDeSeries,
  pedido: PeriodosPedidos,
): Promise<{ bases: Serie[]; asked: PeriodosPedidos }> {
  const isMean = derivada.tipo === 'media_movel'
  const codigos = basesOf(derivada)
  const found = await listSeriesNamed(db, codigos)
  const bases = codigos.map((codigo) => found.find((one) => one.codigo === codigo) as Serie)
  const { periodo } = pedido
  if ((isMean && periodo !== 'semana') || !bases.every((base) => canAlign(base, periodo)))
    throw invalid('query', ['periodo'], 'INCONSISTENT', { field: 'serie' })
  const before = isMean ? derivada.semanas - 1 : 0
  return { bases, asked: { ...pedido, first: pedido.first - before } }
}

/** From the values of its series for one place. */
export function derivedPontos(derivada: DerivadaDeSeries, bases: readonly Ponto[][]): Ponto[] {
  const [a, b] = bases as [Ponto[], Ponto[] | undefined]
  if (derivada.tipo === 'media_movel') return trailingMeans(a, derivada.semanas)
  return a.map((ponto, i) => combined(derivada, ponto, b?.[i] as Ponto))
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
