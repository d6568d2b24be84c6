import type { Alerta as AlertaDoDominio } from '../../domain/alertas/alertas.ts'
import { MOTIVOS, NIVEIS_DE_ALERTA } from '../../domain/alertas/nivel.ts'
import type { AlertaDoPainel as AlertaDoPainelDoDominio } from '../../domain/alertas/painel.ts'
import type { Regra as RegraDoDominio } from '../../domain/alertas/regra.ts'
import type { Situacao as SituacaoDoDominio, SituacaoDoLugar } from '../../domain/alertas/situacao.ts'
import { TIPOS_AGRAVO } from '../../domain/casos/enumeracoes.ts'
import { QUALIDADES_DO_DIAGRAMA } from '../../domain/epidemiologia/base-do-diagrama.ts'
import { NIVEIS_DE_LUGAR } from '../../domain/territorios/lugar.ts'
import { DateTime, described, Id, Nullable, OneOf, ProseText } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { ListOf } from './envelope.ts'
import { Rate, Semana } from './epidemiologia.shapes.ts'
import { LugarQuery, LugarResposta, toLugar } from './territorios.shapes.ts'

export const Nivel = OneOf(NIVEIS_DE_ALERTA)
const Agravo = OneOf(TIPOS_AGRAVO)

/** Level of a place and week with the numbers behind it. */
const nivelFields = {
  tipo_agravo: Agravo,
  lugar: LugarResposta,
  semana: Type.String({ description: '`AAAASS`' }),
  nivel: Nivel,
  motivos: Type.Array(OneOf(MOTIVOS)),
  casos: Type.Integer({ description: 'Prováveis já conhecidos' }),
  casos_estimados: Type.Number({ description: 'Prováveis esperados' }),
  incidencia: Rate,
  p_rt_maior_1: Type.Number({ description: 'Probabilidade de Rt acima de 1' }),
  limite_superior: Nullable(Type.Number({ description: 'Do diagrama de controle; nulo: anos de menos' })),
  qualidade: OneOf(QUALIDADES_DO_DIAGRAMA, { description: 'Do diagrama de controle' }),
  regra_versao: Type.Integer(),
}

export const Alerta = Type.Object(
  {
    id: Id,
    ...nivelFields,
    nivel_anterior: Nullable(Nivel),
    criado_em: DateTime,
    reconhecido: Type.Boolean(),
    reconhecido_em: Nullable(DateTime),
    reconhecido_por: Nullable(Type.String()),
  },
  { title: 'Alerta' },
)
export const ListaDeAlertas = ListOf('items', Alerta, 'ListaDeAlertas')
export const AlertaComNota = Type.Object(
  { ...Alerta.properties, nota: Nullable(Type.String({ description: 'De quem o reconheceu' })) },
  { title: 'AlertaComNota' },
)

export const Reconhecer = Type.Object(
  { nota: ProseText({ maxLength: 500, description: 'O que se fez ou se sabe' }) },
  { title: 'ReconhecerAlerta', examples: [{ nota: 'Equipe de campo enviada; reunião na segunda-feira' }] },
)

export function toAlerta(alerta: AlertaDoDominio): Static<typeof Alerta> {
  const { id, semana, nivel, nivel_anterior, motivos, casos, casos_estimados, incidencia } = alerta
  const { p_rt_maior_1, limite_superior, qualidade, regra_versao, reconhecido_em } = alerta
  return {
    id,
    tipo_agravo: alerta.tipo_agravo as Static<typeof Agravo>,
    lugar: toLugar(alerta.lugar),
    ...{ semana, nivel, nivel_anterior, motivos, casos, casos_estimados, incidencia, p_rt_maior_1 },
    ...{ limite_superior, qualidade, regra_versao },
    criado_em: alerta.criado_em.toISOString(),
    reconhecido: reconhecido_em !== null,
    reconhecido_em: reconhecido_em?.toISOString() ?? null,
    reconhecido_por: alerta.reconhecido_por_nome,
  }
}

export const toAlertaComNota = (alerta: AlertaDoDominio): Static<typeof AlertaComNota> => ({
  ...toAlerta(alerta),
  nota: alerta.nota,
})

export const SituacaoQuery = Type.Object(
  {
    tipo_agravo: described('Um agravo por vez', Agravo),
    ...LugarQuery,
    semana: Type.Optional(Semana('Semana encerrada; a última se ausente')),
    nivel_lugar: OneOf(NIVEIS_DE_LUGAR, { default: 'municipio', description: 'Que lugares listar' }),
    detalhe: Type.Boolean({ default: false, description: 'Com os alarmes EARS e Farrington' }),
    formato: Type.Optional(
      OneOf(['json', 'csv', 'geojson'], { description: 'Vale mais do que o cabeçalho `Accept`' }),
    ),
  },
  { additionalProperties: false },
)

const Limite = Type.Object({ limite: Type.Number(), alarme: Type.Boolean() }, { title: 'LimiteEars' })
const detalhe = Type.Object(
  {
    ears: Type.Object(
      { c1: Limite, c2: Limite, c3: Type.Object({ valor: Type.Number(), alarme: Type.Boolean() }) },
      { title: 'Ears' },
    ),
    farrington: Nullable(
      Type.Object(
        { limite: Type.Number(), esperado: Type.Number(), alarme: Type.Boolean() },
        { title: 'Farrington', description: 'Nulo com menos de cinco anos de casos' },
      ),
    ),
  },
  { title: 'DetalheDoAlerta' },
)
export const NivelDoLugar = Type.Object(
  { ...nivelFields, detalhe: Type.Optional(detalhe) },
  { title: 'NivelDoLugar' },
)

const { lugar: _lugar, tipo_agravo: _tipo, ...semLugar } = nivelFields
/** Of the painel's own place and disease. */
export const AlertaDoPainel = Type.Object(semLugar, {
  title: 'AlertaDoPainel',
  description: 'Nível de todos os prováveis do lugar na última semana; nulo se o recorte não chega a ela',
})

export function toAlertaDoPainel(one: AlertaDoPainelDoDominio): Static<typeof AlertaDoPainel> {
  const { semana, nivel, motivos, casos, casos_estimados, incidencia, p_rt_maior_1 } = one
  const { limite_superior, qualidade, regra_versao } = one
  return {
    ...{ semana, nivel, motivos, casos, casos_estimados, incidencia, p_rt_maior_1 },
    ...{ limite_superior, qualidade, regra_versao },
  }
}

const Ponto = Type.Object(
  {
    type: OneOf(['Feature']),
    geometry: Type.Object({ type: OneOf(['Point']), coordinates: Type.Array(Type.Number()) }),
    properties: NivelDoLugar,
  },
  { title: 'PontoDeAlerta' },
)

const head = { calculado_em: DateTime }
/** Every place in one answer; with `formato=geojson` as points. */
export const SituacaoResposta = Type.Union([
  Type.Object(
    {
      ...head,
      tipo_agravo: Agravo,
      semana: Type.String(),
      nivel_lugar: OneOf(NIVEIS_DE_LUGAR),
      total: Type.Integer(),
      items: Type.Array(NivelDoLugar),
    },
    { title: 'SituacaoDeAlertas' },
  ),
  Type.Object(
    { ...head, type: OneOf(['FeatureCollection']), features: Type.Array(Ponto) },
    { title: 'MapaDeAlertas' },
  ),
])

const PLACE_COLUMNS = ['lugar.nivel', 'lugar.codigo', 'lugar.nome', 'lugar.estado']
const DETAIL_COLUMNS = [
  ...['c1.limite', 'c1.alarme', 'c2.limite', 'c2.alarme', 'c3.valor', 'c3.alarme'].map(
    (name) => `ears.${name}`,
  ),
  ...['limite', 'esperado', 'alarme'].map((name) => `farrington.${name}`),
].map((name) => `detalhe.${name}`)

export const colunasDaSituacao = ({ detalhe: isDetailed }: Static<typeof SituacaoQuery>): string[] => [
  ...Object.keys(nivelFields).flatMap((name) => (name === 'lugar' ? PLACE_COLUMNS : [name])),
  ...(isDetailed ? DETAIL_COLUMNS : []),
]

export function toNivelDoLugar(one: SituacaoDoLugar): Static<typeof NivelDoLugar> {
  const { semana, nivel, motivos, casos, casos_estimados, incidencia, p_rt_maior_1 } = one
  const { limite_superior, qualidade, regra_versao } = one
  return {
    tipo_agravo: one.tipo_agravo as Static<typeof Agravo>,
    lugar: toLugar(one.lugar),
    ...{ semana, nivel, motivos, casos, casos_estimados, incidencia, p_rt_maior_1 },
    ...{ limite_superior, qualidade, regra_versao },
    ...(one.detalhe && { detalhe: one.detalhe }),
  }
}

/** Reasons of a line of the table, in one cell. */
export const toLinhaDaSituacao = (one: SituacaoDoLugar) => ({
  ...toNivelDoLugar(one),
  motivos: one.motivos.join(' '),
})

export function toSituacao(
  { tipo_agravo, nivel_lugar, formato }: Static<typeof SituacaoQuery>,
  { semana, lugares }: SituacaoDoDominio,
  now: Date,
): Static<typeof SituacaoResposta> {
  const calculado_em = now.toISOString()
  if (formato === 'geojson')
    return { calculado_em, type: 'FeatureCollection', features: lugares.map(toPonto) }
  const items = lugares.map(toNivelDoLugar)
  return { calculado_em, tipo_agravo, semana, nivel_lugar, total: items.length, items }
}

/** A larger place lies in the middle of the seats of its municipalities. */
function toPonto(one: SituacaoDoLugar): Static<typeof Ponto> {
  const { municipios } = one.lugar
  const middle = (of: 'longitude' | 'latitude') =>
    Math.round((municipios.reduce((sum, municipio) => sum + municipio[of], 0) / municipios.length) * 1e6) /
    1e6
  return {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [middle('longitude'), middle('latitude')] },
    properties: toNivelDoLugar(one),
  }
}

const Casos = (description: string) => Type.Number({ minimum: 0, maximum: 100_000, description })
const limiares = {
  p_crescimento: Type.Number({
    minimum: 0.5,
    maximum: 0.9999,
    description: 'Probabilidade de Rt acima de 1 que é crescimento',
  }),
  casos_janela: Casos('Que a janela de Rt precisa'),
  casos_amarelo: Casos('Que o alarme EARS precisa'),
  casos_laranja: Casos('Que o nível laranja precisa'),
  casos_vermelho: Casos('Que o nível vermelho precisa'),
  incidencia_4_semanas: Type.Number({
    minimum: 0,
    maximum: 100_000,
    description: 'Por 100 mil em quatro semanas; só onde o diagrama é insuficiente',
  }),
}

export const Regra = Type.Object(
  { tipo_agravo: Agravo, versao: Type.Integer(), ...limiares },
  { title: 'RegraDeAlerta' },
)
export const ListaDeRegras = Type.Object(
  { total: Type.Integer(), regras: Type.Array(Regra) },
  { title: 'RegrasDeAlerta' },
)

export const AlterarRegra = Type.Object(
  {
    tipo_agravo: Agravo,
    versao: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'A que se leu: com outra, 409' }),
    ),
    ...Type.Partial(Type.Object(limiares)).properties,
  },
  {
    title: 'AlterarRegraDeAlerta',
    // Ignored, a misspelt threshold would seem to be changed.
    additionalProperties: false,
    examples: [{ tipo_agravo: 'dengue', casos_vermelho: 20 }],
  },
)

export const toRegra = (regra: RegraDoDominio): Static<typeof Regra> => ({
  tipo_agravo: regra.tipo_agravo,
  versao: regra.versao,
  p_crescimento: regra.p_crescimento,
  casos_janela: regra.casos_janela,
  casos_amarelo: regra.casos_amarelo,
  casos_laranja: regra.casos_laranja,
  casos_vermelho: regra.casos_vermelho,
  incidencia_4_semanas: regra.incidencia_4_semanas,
})

export function fromAlterarRegra({ tipo_agravo, versao, ...change }: Static<typeof AlterarRegra>) {
  const sent = Object.entries(change).filter(([, value]) => value !== undefined)
  return { tipo_agravo, versao: versao ?? null, change: Object.fromEntries(sent) as Partial<RegraDoDominio> }
}
