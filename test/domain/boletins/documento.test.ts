import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Boletim, SecaoDoBoletim } from '../../../src/domain/boletins/dados.ts'
import { renderHtml } from '../../../src/domain/boletins/documento/html.ts'
import { renderPdf } from '../../../src/domain/boletins/documento/pdf.ts'
import { enUS } from '../../../src/domain/boletins/documento/texts/en-US.ts'
import { esES } from '../../../src/domain/boletins/documento/texts/es-ES.ts'
import { ptBR } from '../../../src/domain/boletins/documento/texts/pt-BR.ts'
import { PARTES_DO_BOLETIM } from '../../../src/domain/boletins/documento/texts/texts.ts'
import { LANGUAGES, type Language } from '../../../src/errors/texts.ts'
import { BOLETIM_DE_TODOS, BOLETIM_DO_ESTADO, BOLETIM_PUBLICO_DO_MUNICIPIO } from './amostra.ts'
import { boletimOf, boletimOfBrasil } from './lugares.ts'
import { readPdf } from './pdf-file.ts'

const TEXTS = { 'pt-BR': ptBR, 'en-US': enUS, 'es-ES': esES }
const languages = Object.keys(LANGUAGES) as Language[]
const SAMPLES: [string, Boletim][] = [
  ['a state', BOLETIM_DO_ESTADO],
  ['all diseases', BOLETIM_DE_TODOS],
  ['a municipality for the public', BOLETIM_PUBLICO_DO_MUNICIPIO],
  ['the country', boletimOfBrasil()],
]
/** Bar of the specification. */
const MOST_BYTES = 1.5 * 1024 * 1024

const found = (html: string, pattern: RegExp) =>
  Array.from(html.matchAll(pattern), ([, group]) => group as string)
/** Without the style, whose fonts are any letters. */
const bodyOf = (html: string) => html.replace(/<style>[\s\S]*?<\/style>/, '')
/** Rendered once: a PDF takes half a second. */
const pdfs = new Map<Boletim, Promise<Buffer>>()
function pdfOf(boletim: Boletim): Promise<Buffer> {
  const pdf = pdfs.get(boletim) ?? renderPdf(boletim, 'pt-BR')
  pdfs.set(boletim, pdf)
  return pdf
}
const secaoOf = (boletim: Boletim) => boletim.dados.secoes[0] as SecaoDoBoletim
const withSecao = (boletim: Boletim, change: Partial<SecaoDoBoletim>): Boletim => ({
  ...boletim,
  dados: { ...boletim.dados, secoes: [{ ...secaoOf(boletim), ...change }] },
})

const withoutSpaces = (text: string) => text.replaceAll(/\s+/g, '')
const ESCAPED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" }
/** What a page says in words, drawings and the labels of closed tables apart. */
const wordsOf = (html: string) =>
  found(html.replaceAll(/<(style|title|svg|summary)[\s>][\s\S]*?<\/\1>/g, ''), />([^<>\n]+)</g).map((text) =>
    text.replaceAll(/&(#?\w+);/g, (_, name: string) => ESCAPED[name] ?? name),
  )

const HOSTILE = `<script>alert("1")</script>' onload='x' & </style> "quoted"`
const hostile = (): Boletim => {
  const boletim = structuredClone(BOLETIM_PUBLICO_DO_MUNICIPIO)
  boletim.cabecalho.texto = { titulo: HOSTILE, destaques: [HOSTILE, HOSTILE], nota: HOSTILE }
  boletim.cabecalho.lugar.nome = HOSTILE
  return withSecao(boletim, {
    mapa: {
      tipo: 'bairro',
      bairros: [{ nome: HOSTILE, casos_4_semanas: 9, suprimido: false }],
      demais: { valor: 0, suprimido: false },
    },
    municipios: secaoOf(BOLETIM_DO_ESTADO).municipios,
    numeros: { ...secaoOf(boletim).numeros, motivos: [HOSTILE] },
    curva: { ...secaoOf(boletim).curva, nowcast_motivo: HOSTILE },
  })
}

describe('The HTML of a bulletin', () => {
  it('is one file: no script, no handler, no address', () => {
    for (const [name, boletim] of [...SAMPLES, ['hostile words', hostile()] as [string, Boletim]]) {
      const html = renderHtml(boletim, 'pt-BR')
      assert.doesNotMatch(html, /<(?:script|link|iframe|object|embed|img|base|form|a|use)\b/i, name)
      // Values of attributes hold words of people.
      const names = html.replaceAll(/"[^"]*"/g, '""')
      assert.ok(!/<[^>]*\s(?:src|href|srcset|action|xmlns|on\w+)=/i.test(names), name)
      assert.ok(!/https?:|@import|javascript:/i.test(html), name)
      assert.deepEqual(new Set(found(html, /url\(([^),;]*)/g)), new Set(['data:font/woff2']), name)
    }
  })

  it('has its parts in their order in three languages, whatever the number of diseases', () => {
    for (const [name, boletim] of SAMPLES)
      for (const language of languages) {
        const html = renderHtml(boletim, language)
        assert.match(html, new RegExp(`<html lang="${language}">`))
        const parts = PARTES_DO_BOLETIM.map((parte) => TEXTS[language].headings[parte])
        assert.deepEqual(found(html, /<h2>([^<]*)<\/h2>/g), parts, `${name} ${language}`)
        const levels = found(html, /<h([1-6])>/g).map(Number)
        assert.deepEqual([levels[0], levels.filter((level) => level === 1).length], [1, 1], name)
        assert.ok(
          levels.every((level, i) => i === 0 || level <= (levels[i - 1] as number) + 1),
          name,
        )
        assert.doesNotMatch(bodyOf(html), /undefined|NaN|null|Infinity|\[object/, `${name} ${language}`)
      }
    const diseases = found(renderHtml(BOLETIM_DE_TODOS, 'pt-BR'), /<h3>([^<]*)<\/h3>/g)
    assert.equal(diseases.length, 3 * (PARTES_DO_BOLETIM.length - 1))
    assert.deepEqual([...new Set(diseases)], ['Dengue', 'Zika', 'Chikungunya'])
  })

  it('says place, week with its days and the moment of the data', () => {
    const html = renderHtml(BOLETIM_DO_ESTADO, 'pt-BR')
    assert.match(html, /<h1>Boletim epidemiológico: dengue<\/h1>\n<p class="place">Pernambuco<\/p>/)
    assert.match(html, /Semana epidemiológica 20 de 2026 · 17 – 23 de maio de 2026/)
    assert.match(html, /Dados até 25 de maio de 2026 às 08:42 \(horário de Brasília\)/)
    assert.match(renderHtml(BOLETIM_DO_ESTADO, 'en-US'), /May 17 – 23, 2026/)
    const empty = structuredClone(BOLETIM_DO_ESTADO)
    empty.cabecalho.dados_ate = null
    assert.match(renderHtml(empty, 'es-ES'), /Sin casos registrados/)
  })

  it('says every chart as a table, too', () => {
    for (const [name, boletim] of SAMPLES) {
      const figures = found(renderHtml(boletim, 'pt-BR'), /<figure>([\s\S]*?)<\/figure>/g)
      assert.ok(figures.length >= 4, name)
      for (const figure of figures) {
        assert.equal(found(figure, /(role="img" aria-label="[^"]{10,}")/g).length, 2, 'wide and narrow')
        assert.equal(found(figure, /(<details><summary>Tabela: [^<]+<\/summary>)/g).length, 1)
        assert.match(figure, /<table><caption>[^<]+<\/caption><thead>.*<th scope="row">/)
      }
    }
    const [curve] = found(renderHtml(BOLETIM_DO_ESTADO, 'pt-BR'), /<figure>([\s\S]*?)<\/figure>/g)
    assert.equal(found(curve as string, /<tr><th scope="row">(\d+)</g).length, 53)
  })

  it('escapes what people wrote', () => {
    for (const language of languages) {
      const html = renderHtml(hostile(), language)
      assert.doesNotMatch(html, /<script/)
      assert.equal(html.match(/<\/style>/g)?.length, 1)
      const escaped = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39; onload=&#39;x&#39; &amp;'
      assert.ok(html.includes(`<h1>${escaped}`), 'title')
      assert.ok(html.includes(`<li>${escaped}`), 'highlights')
      assert.ok(html.includes(`<p>${escaped}`), 'note')
      assert.ok(html.includes(`<p class="place">${escaped}`), 'place')
      assert.ok(html.includes(`<th scope="row">${escaped}`), 'bairro')
    }
  })

  it('shows hidden numbers as hidden, and draws none of them', () => {
    for (const language of languages) {
      const html = renderHtml(BOLETIM_PUBLICO_DO_MUNICIPIO, language)
      const word = TEXTS[language].suprimido
      const secao = secaoOf(BOLETIM_PUBLICO_DO_MUNICIPIO)
      const weeks = secao.curva.anos.flatMap(({ semanas }) => semanas).filter(({ suprimido }) => suprimido)
      const cells = secao.piramide.celulas.filter(({ suprimido }) => suprimido)
      const [curve, , , , pyramid] = found(html, /<figure>([\s\S]*?)<\/figure>/g)
      const hidden = (part: string | undefined) =>
        found(part ?? '', new RegExp(`<td class="n">(${word})<`, 'g'))
      assert.ok(weeks.length > 0 && cells.length > 0)
      assert.equal(hidden(curve).length, weeks.length)
      // Count and incidence.
      assert.equal(hidden(pyramid).length, 2 * cells.length)
      assert.equal(found(html, new RegExp(`<dd class="value">(${word})</dd>`, 'g')).length, 3)
    }
    const all = secaoOf(BOLETIM_DO_ESTADO)
    const open = withSecao(BOLETIM_DO_ESTADO, {
      curva: {
        ...all.curva,
        anos: all.curva.anos.map((ano) => ({
          ...ano,
          semanas: ano.semanas.map((one, i) =>
            i === 9 ? { ...one, casos: null, incidencia: null, suprimido: true } : one,
          ),
        })),
      },
    })
    const lineOf = (boletim: Boletim) =>
      found(
        renderHtml(boletim, 'pt-BR'),
        /<path d="([^"]+)" fill="none" stroke="#0b6577" stroke-width="2.6"/g,
      )[0] as string
    assert.equal(lineOf(BOLETIM_DO_ESTADO).split('M').length - 1, 1)
    assert.equal(lineOf(open).split('M').length - 1, 2, 'a gap where the week is hidden')
  })

  it('names every level by word and sign', () => {
    const html = renderHtml(BOLETIM_DO_ESTADO, 'pt-BR')
    const levels = found(html, /<span class="level-word"><svg [^>]*><path [^>]*><\/path><\/svg>([^<]+)</g)
    assert.deepEqual([...new Set(levels)].toSorted(), ['Amarelo', 'Laranja', 'Verde', 'Vermelho'])
    assert.equal(found(html, /(class="level-word")/g).length, levels.length)
    assert.match(
      html,
      /<dd class="value"><svg [^>]*aria-hidden="true">.*?<\/svg>Laranja: transmissão sustentada/,
    )
  })

  it('draws every municipality, with a sign where it is not green', async () => {
    const boletim = await boletimOf('PE')
    const { mapa } = secaoOf(boletim)
    assert.ok(mapa.tipo === 'municipio')
    assert.equal(mapa.lugares.length, 185)
    const html = renderHtml(boletim, 'pt-BR')
    const map = found(html, /<svg class="drawing wide"[^>]*>(.*?)<\/svg>/g).find((svg) =>
      svg.includes('Recife:'),
    )
    assert.equal(found(map ?? '', /(<title>)/g).length, 185)
    const signs = mapa.lugares.filter(({ nivel }) => nivel !== 'verde').length
    assert.equal(found(map ?? '', /(<path)/g).length, 185 + signs)
    assert.ok(!html.includes('<path d="" '), 'nothing without an outline')
    assert.match(html, /Fernando de Noronha está desenhado perto da costa/)
  })

  it('draws a municipality without an outline at its seat, and the states of the country', async () => {
    const titles = (html: string) => new Set(found(html, /<path[^>]*><title>([^<:]+): /g))
    assert.ok(titles(renderHtml(await boletimOf('MT'), 'pt-BR')).has('Boa Esperança do Norte'))
    const brasil = renderHtml(boletimOfBrasil(), 'pt-BR')
    assert.equal(titles(brasil).size, 27)
    assert.doesNotMatch(brasil, /Noronha/)
  })
})

describe('The PDF of a bulletin', () => {
  it('is tagged: language, title, headings, lists, tables and figures with alternative texts', async () => {
    for (const [name, boletim] of SAMPLES) {
      const { objects, pages } = readPdf(await pdfOf(boletim))
      const all = [...objects.values()]
      const count = (pattern: RegExp) => all.filter((one) => pattern.test(one)).length
      const catalogue = all.find((one) => one.includes('/Type /Catalog')) ?? ''
      assert.match(catalogue, /\/StructTreeRoot \d+ 0 R/, name)
      assert.match(catalogue, /\/MarkInfo \d+ 0 R/)
      assert.match(catalogue, /\/Lang \(pt-BR\)/)
      assert.equal(count(/\/DisplayDocTitle true/), 1)
      assert.equal(count(/\/Marked true/), 1)
      assert.ok(pages >= 3, name)
      assert.equal(count(/\/S \/H1\b/), 1)
      assert.equal(count(/\/S \/H2\b/), PARTES_DO_BOLETIM.length + 1, 'and the tables at the end')
      const figures = count(/\/S \/Figure\b/)
      assert.ok(figures >= 4)
      assert.equal(count(/\/S \/Figure\b[\s\S]*\/Alt \(/), figures)
      assert.equal(count(/\/S \/TH\b[\s\S]*\/Scope \/(?:Column|Row)/), count(/\/S \/TH\b/))
      assert.ok(count(/\/S \/Table\b/) > figures, 'a table for each figure, and others')
      for (const type of ['L', 'LI', 'LBody', 'THead', 'TBody', 'TR', 'TD', 'P'])
        assert.ok(count(new RegExp(`/S /${type}\\b`)) > 0, type)
    }
  })

  it('embeds its fonts, and no others', async () => {
    const { objects } = readPdf(await pdfOf(BOLETIM_DO_ESTADO))
    const all = [...objects.values()]
    const descriptors = all.filter((one) => one.includes('/Type /FontDescriptor'))
    assert.equal(descriptors.length, 2)
    for (const one of descriptors) assert.match(one, /\/FontFile2 \d+ 0 R/)
    assert.deepEqual(
      all.filter((one) => /\/Subtype \/Type1\b/.test(one)),
      [],
    )
  })

  it('says what the HTML says', async () => {
    const cases: [string, Boletim, Language][] = [
      ...SAMPLES.map(([name, boletim]): [string, Boletim, Language] => [name, boletim, 'pt-BR']),
      ['a state', BOLETIM_DO_ESTADO, 'en-US'],
      ['a municipality for the public', BOLETIM_PUBLICO_DO_MUNICIPIO, 'es-ES'],
    ]
    for (const [name, boletim, language] of cases) {
      const pdf = language === 'pt-BR' ? await pdfOf(boletim) : await renderPdf(boletim, language)
      const written = withoutSpaces(readPdf(pdf).text)
      const said = wordsOf(renderHtml(boletim, language))
      assert.ok(said.length > 100, name)
      assert.deepEqual(
        said.filter((one) => !written.includes(withoutSpaces(one))),
        [],
        `${name} ${language}`,
      )
    }
  })

  it('is written with the letters that its fonts have, whatever people wrote', async () => {
    const boletim = hostile()
    boletim.cabecalho.texto.nota = `Incidência ≥ 300 → alerta 😀\u0007 Łódź\n\n${'sempalavras'.repeat(300)}\n${'linha\n'.repeat(120)}`
    const { text, pages, objects } = readPdf(await renderPdf(boletim, 'pt-BR'))
    assert.match(text, /Incidência >= 300 -> alerta \? ?\?ódz/)
    assert.ok(text.replaceAll(/\s/g, '').includes('sempalavras'.repeat(300)))
    assert.match(text, /<script>alert\("1"\)<\/script>/)
    assert.ok(pages > 8)
    const metadata = [...objects.values()].filter((one) => one.includes('/Title'))
    assert.ok(metadata.length > 0)
  })

  it('numbers its pages outside of what is read aloud', async () => {
    const { text, artifacts, pages } = readPdf(await pdfOf(BOLETIM_DO_ESTADO))
    for (let page = 1; page <= pages; page++)
      assert.match(artifacts, new RegExp(`Página ${page} de ${pages}`))
    assert.doesNotMatch(text, /Página 1 de/)
  })
})

describe('Both forms of a bulletin', () => {
  it('are the same bytes for the same data', async () => {
    for (const [name, boletim] of SAMPLES) {
      const again = JSON.parse(JSON.stringify(boletim)) as Boletim
      assert.equal(renderHtml(boletim, 'pt-BR'), renderHtml(again, 'pt-BR'), name)
      assert.ok((await pdfOf(boletim)).equals(await renderPdf(again, 'pt-BR')), name)
    }
  })

  it('leave the data as they are', async () => {
    const boletim = structuredClone(BOLETIM_DE_TODOS)
    renderHtml(boletim, 'pt-BR')
    await renderPdf(boletim, 'pt-BR')
    assert.deepEqual(boletim, BOLETIM_DE_TODOS)
  })

  it('are at most 1.5 MB for a state, also for the one with the most municipalities', async () => {
    for (const uf of ['PE', 'MG'] as const) {
      const boletim = await boletimOf(uf)
      assert.ok(Buffer.byteLength(renderHtml(boletim, 'pt-BR')) <= MOST_BYTES, uf)
      assert.ok((await renderPdf(boletim, 'pt-BR')).length <= MOST_BYTES, uf)
    }
  })
})

describe('The texts of a bulletin', () => {
  /** Keys with a signature: the parts that a text takes. */
  const keysOf = (value: unknown, prefix = ''): string[] => {
    if (typeof value === 'function') return [`${prefix}(${value.length})`]
    if (typeof value !== 'object' || value === null) return [prefix]
    return Object.entries(value).flatMap(([key, inner]) => keysOf(inner, `${prefix}/${key}`))
  }

  it('have the same keys in three languages', () => {
    const keys = keysOf(ptBR)
    assert.ok(keys.length > 100)
    for (const texts of [enUS, esES]) assert.deepEqual(keysOf(texts), keys)
  })
})
