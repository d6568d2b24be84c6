import { firstWeekOf, semanaAt, semanaByCodigo, weekOf } from '../../brasil/epi-week.ts'
import { nested } from '../../db/nested.ts'
import { serial } from '../../db/serial.ts'
import { TIPOS_AGRAVO } from '../casos/enumeracoes.ts'
import { MINIMO_DO_BAIRRO } from '../casos/statistics/grupos.ts'
import { DIAGRAMA_PADRAO } from '../epidemiologia/base-do-diagrama.ts'
import { curva } from '../epidemiologia/epidemiologia.ts'
import { INTERVALO_USUAL, intervaloOf } from '../epidemiologia/rt.ts'
import { isLarge } from '../epidemiologia/suprimida.ts'
import { type Lugar, lugarOf } from '../territorios/lugar.ts'
import type { Boletim, CabecalhoDoBoletim, NotasDoBoletim, SecaoDoBoletim } from './dados.ts'
import { maioresDoPais, type Recorte, tabelasOf } from './partes.ts'
import { agravosOf, type PedidoComSemana } from './pedido.ts'
import { recentesSuprimidos } from './recentes.ts'
import {
  type BoletimNeeds,
  contarSecao,
  type Leitor,
  prepararEstimativas,
  RT_DO_BOLETIM,
  recorteOf,
  type SecaoContada,
} from './secao.ts'
import { parteSuprimida, suprimirSecao } from './suprimir.ts'

/** Bulletin from the cases of one moment: every number is read in the same snapshot. */

export interface Edicao {
  /** Software that made it. */
  versao: string
  /** Smallest count that a public bulletin shows. */
  minimo: number
}

export async function montarBoletim(
  app: BoletimNeeds,
  leitor: Leitor,
  pedido: PedidoComSemana,
  edicao: Edicao,
): Promise<Boletim> {
  const lugar = lugarOf(app, pedido)
  const week = weekOf(semanaByCodigo(pedido.semana)?.inicio as string)
  const place = placeOf(lugar)
  const recortes = agravosOf(app, pedido).map((tipo) => recorteOf(tipo, lugar, place, week))
  for (const recorte of recortes) await prepararEstimativas(app, leitor, recorte)
  const { secoes, dados_ate } = await app.db.snapshot(async (tx) => {
    const reading = { ...app, db: nested(serial(tx)) }
    const found: { secao: SecaoDoBoletim; dados_ate: string | null }[] = []
    for (const recorte of recortes)
      found.push(await secaoOf(reading, leitor, recorte, pedido.publico, edicao))
    return {
      secoes: found.map(({ secao }) => secao),
      dados_ate: found.map((one) => one.dados_ate).reduce(latest, null),
    }
  })
  const { codigo, inicio, fim } = semanaAt(week)
  const { nivel, nome, estado } = lugar
  const agravos = [...agravosOf(app, pedido)]
  return {
    cabecalho: {
      lugar: { nivel, codigo: lugar.codigo, nome, estado },
      agravos,
      ...nomesOf(app, agravos),
      semana: { semana: codigo, inicio, fim },
      publico: pedido.publico,
      dados_ate,
      texto: pedido.texto,
    },
    dados: { secoes, notas: notasOf(app, agravos, pedido.publico, edicao) },
  }
}

const latest = (a: string | null, b: string | null) => (a === null || (b !== null && b > a) ? b : a)

/** The place by its code: names may be those of several. */
function placeOf({ nivel, codigo }: Lugar): Recorte['pedido'] {
  if (codigo === null) return {}
  return nivel === 'estado'
    ? { estado: codigo as NonNullable<Recorte['pedido']['estado']> }
    : { [nivel]: codigo }
}

async function secaoOf(
  app: BoletimNeeds,
  leitor: Leitor,
  recorte: Recorte,
  publico: boolean,
  { minimo }: Edicao,
): Promise<{ secao: SecaoDoBoletim; dados_ate: string | null }> {
  const contada = await contarSecao(app, leitor, recorte)
  const isRecentHidden = publico ? await recentesSuprimidos(app, recorte, minimo) : () => false
  const secao = publico
    ? suprimirSecao(contada, {
        ...{ minimo, lugar: recorte.lugar, week: recorte.week, isRecentHidden },
        casosDaBase: await baseOf(app, leitor, recorte, contada),
      })
    : contada.secao
  const partes = secao.mapa.tipo === 'bairro' ? [] : secao.mapa.lugares
  const municipios =
    recorte.lugar.nivel === 'pais'
      ? await maioresDoPais(app, leitor, recorte, (codigo) => !isRecentHidden(codigo))
      : partes
  const shown = municipios.map((one) => parteSuprimida(one, isRecentHidden))
  return { secao: { ...secao, municipios: tabelasOf(partes, shown) }, dados_ate: contada.dados_ate }
}

/** Weeks of the years that limits come from; nothing for a large place, whose limits are shown. */
async function baseOf(
  app: BoletimNeeds,
  leitor: Leitor,
  { tipo, pedido, lugar, ano }: Recorte,
  { secao }: SecaoContada,
): Promise<(week: number) => number> {
  if (isLarge(lugar, secao.populacao)) return () => 0
  const first = firstWeekOf(ano - DIAGRAMA_PADRAO.anos)
  const { semanas } = await curva(app, leitor, {
    ...{ tipo_agravo: tipo, ...pedido, casos: 'provaveis', comparar_anos: 0 },
    ...{ semana_inicio: semanaAt(first).codigo, semana_fim: semanaAt(firstWeekOf(ano) - 1).codigo },
  })
  return (week) => semanas[week - first]?.casos ?? 0
}

const nomeOf = ({ agravos }: BoletimNeeds, codigo: string): string =>
  agravos.vigentes().get(codigo)?.definicao.nome ?? codigo

/** Names of defined diseases; the known have words in each language of the document. */
function nomesOf(app: BoletimNeeds, agravos: readonly string[]): Pick<CabecalhoDoBoletim, 'nomes'> {
  const defined = agravos.filter((codigo) => !TIPOS_AGRAVO.includes(codigo))
  if (defined.length === 0) return {}
  return { nomes: Object.fromEntries(defined.map((codigo) => [codigo, nomeOf(app, codigo)])) }
}

/** Generation interval of the first disease, and of others where it differs. */
function intervalosOf(app: BoletimNeeds, agravos: readonly string[]) {
  const [first = INTERVALO_USUAL, ...others] = agravos.map((codigo) => ({
    nome: nomeOf(app, codigo),
    ...intervaloOf(app.agravos.vigentes(), codigo),
  }))
  const outros = others.filter(({ media, desvio }) => media !== first.media || desvio !== first.desvio)
  return {
    ...{ intervalo_geracao_media: first.media, intervalo_geracao_desvio: first.desvio },
    ...(outros.length > 0 && { outros }),
  }
}

function notasOf(
  app: BoletimNeeds,
  agravos: readonly string[],
  publico: boolean,
  { versao, minimo }: Edicao,
): NotasDoBoletim {
  const { populacao } = app
  const { anos, janela, desvios } = DIAGRAMA_PADRAO
  return {
    populacao: { fonte: 'DATASUS/IBGE', ultimo_ano: populacao.anos.at(-1) as number },
    supressao: publico ? { minimo } : null,
    bairros_minimo: MINIMO_DO_BAIRRO,
    rt: { ...RT_DO_BOLETIM, ...intervalosOf(app, agravos) },
    diagrama: { metodo: 'media_movel', anos, janela, desvios },
    nowcast: { intervalo: 95 },
    software: { nome: 'Vigia', versao },
  }
}
