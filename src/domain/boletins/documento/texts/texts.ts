import type { Motivo, NivelDeAlerta } from '../../../alertas/nivel.ts'
import type { AgravoConhecido } from '../../../casos/enumeracoes.ts'
import type { Faixa } from '../../../casos/qualidade/regras.ts'
import type { QualidadeDoDiagrama } from '../../../epidemiologia/base-do-diagrama.ts'
import type { ZonaDoDiagrama } from '../../../epidemiologia/diagrama.ts'
import type { MotivoSemEstimativa } from '../../../epidemiologia/estimativa.ts'
import type { CAMPOS_DO_BOLETIM, NotasDoBoletim } from '../../dados.ts'

/** Parts of the document, in their order: the headings of the second level. */
export const PARTES_DO_BOLETIM = [
  'curva',
  'diagrama',
  'rt',
  'mapa',
  'municipios',
  'piramide',
  'sorotipos',
  'qualidade',
  'notas',
] as const
export type ParteDoBoletim = (typeof PARTES_DO_BOLETIM)[number]

/** Parts of a place that a map shows. */
export type ParteDoLugar = 'estado' | 'municipio'

/** Texts of one language; numbers and dates come formatted. A text that is missing does not compile. */
export interface BulletinTexts {
  agravos: Record<AgravoConhecido, string>
  title(agravos: string): string
  regiao(nome: string, estado: string): string
  week(numero: number, ano: string): string
  weekAxis: string
  shortWeek(numero: number): string
  dataAsOf(when: string): string
  noData: string
  publico: string
  methods: string[]
  highlights: string
  note: string
  suprimido: string
  headings: Record<ParteDoBoletim, string>
  levels: Record<NivelDeAlerta, { word: string; meaning: string }>
  motivos: Record<Motivo, string>
  /** Begins the label of a table that says what a chart shows. */
  asTable(caption: string): string
  /** Annex of the PDF. */
  tables: string
  /** Number and name of a table at the end of the PDF, and where a chart sends its readers. */
  tableNumber(numero: number, caption: string): string
  inAnnex(numero: number): string
  page(page: number, pages: number): string
  columns: {
    week: string
    cases: string
    incidence: string
    population: string
    level: string
    levelBefore: string
    cases4: string
    incidence4: string
    place: Record<ParteDoLugar | 'bairro', string>
  }
  numbers: {
    label: string
    cases: string
    cases4: string
    incidence(rate: string): string
    change: string
    against(casos: string, ano: string): string
    deaths: string
    deathsOpen: string
    confirmed(casos: string): string
    lethality: string
    interval(from: string, to: string): string
    amongConfirmed: string
    level: string
    levelBefore(word: string): string
  }
  curve: {
    caption: string
    sentence(part: { casos: string; semana: string }): string
    change(part: { pct: string; isMore: boolean; ano: string }): string
    estimate: string
    band: string
    estimateAt(part: { semana: string; estimados: string; inferior: string; superior: string }): string
    without: Record<MotivoSemEstimativa, string>
    unlikely: string
  }
  diagram: {
    caption: string
    axis: string
    mean: string
    limits: string
    lower: string
    upper: string
    observed: string
    judged: string
    zone: string
    zones: Record<ZonaDoDiagrama, string>
    above: string
    sentence(part: { semana: string; zona: string }): string
    weeksAbove(total: number, running: number): string
    base(anos: string): string
    excluded(anos: string): string
    quality: Record<QualidadeDoDiagrama, string | null>
  }
  rt: {
    caption: string
    line: string
    interval: string
    reference: string
    uncertain: string
    estimated: string
    probability: string
    remark: string
    sentence(part: { semana: string; rt: string; inferior: string; superior: string; p: string }): string
    none: string
  }
  map: {
    caption: Record<ParteDoLugar, string>
    sentence(counts: string): string
    count(nivel: string, places: string): string
    places: Record<ParteDoLugar, (count: string) => string>
    moved: string
    bairros: string
    others: string
    noBairros(minimo: number): string
  }
  municipios: {
    highest: string
    noneHighest: string
    changed: string
    noneChanged: string
    ofMunicipio: string
  }
  pyramid: {
    caption: string
    axis: string
    age: string
    men: string
    women: string
    sentence(part: { sexo: string; faixa: string; casos: string }): string
    unknown(casos: string): string
    structure(ano: string): string
  }
  serotypes: {
    caption: string
    serotype: string
    samples: string
    predominant(sorotipo: string): string
    nonePredominant: string
    notApplicable(agravo: string): string
    hidden: string
  }
  quality: {
    caption: string
    field: string
    filled: string
    of: string
    share: string
    band: string
    fields: Record<(typeof CAMPOS_DO_BOLETIM)[number], string>
    bands: Record<Faixa, string>
    period(part: { inicio: string; fim: string; casos: string }): string
    late(casos: string): string
  }
  notes(notas: NotasDoBoletim): string[]
}
