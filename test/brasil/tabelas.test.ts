import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { loadMunicipios, type Municipio } from '../../src/brasil/municipios.ts'
import { loadPopulacao } from '../../src/brasil/populacao.ts'
import { lazyEstruturaEtaria } from '../../src/brasil/populacao-sexo-faixa.ts'
import { parseFigures } from '../../src/brasil/tabela.ts'
import { indexTerritorios } from '../../src/brasil/territorios.ts'
import { FAIXAS_ETARIAS } from '../../src/domain/casos/enumeracoes.ts'

const municipios = await loadMunicipios()
const populacao = await loadPopulacao()
const territorios = indexTerritorios(municipios.all)
const estrutura = await lazyEstruturaEtaria()()

/** Sums taken from the source files by other means than the script that made the tables. */
const SUMS: Record<number, Record<string, number>> = {
  2000: { Brasil: 174_695_935, SP: 38_014_008, PE: 8_149_336, RR: 339_804, DF: 2_185_722, MT: 2_628_097 },
  2010: { Brasil: 194_749_329, SP: 42_472_858, PE: 8_929_674, RR: 469_991, DF: 2_643_977, MT: 3_093_944 },
  2022: { Brasil: 210_862_983, SP: 45_736_978, PE: 9_493_026, RR: 673_404, DF: 2_952_426, MT: 3_720_967 },
  2024: { Brasil: 212_583_750, SP: 45_973_194, PE: 9_539_029, RR: 716_793, DF: 2_982_818, MT: 3_836_399 },
}
const REGIOES: Record<string, number> = {
  ...{
    AC: 3,
    AL: 10,
    AM: 9,
    AP: 3,
    BA: 28,
    CE: 22,
    DF: 1,
    ES: 3,
    GO: 18,
    MA: 19,
    MG: 89,
    MS: 4,
    MT: 16,
    PA: 13,
  },
  ...{ PB: 16, PE: 12, PI: 11, PR: 22, RJ: 9, RN: 8, RO: 7, RR: 2, RS: 30, SC: 16, SE: 7, SP: 63, TO: 8 },
}
/** From the source's own table by state, men and women by band. */
const PERNAMBUCO_2022 = [
  ...[62_065, 268_844, 350_637, 361_081, 380_748, 1_456_683, 1_118_016, 490_106, 72_641],
  ...[59_187, 256_235, 333_244, 342_894, 363_866, 1_521_747, 1_282_917, 648_553, 123_562],
]

const RECIFE = municipios.byCodigo(2611606) as Municipio
/** New in 2025. */
const BOA_ESPERANCA = municipios.byCodigo(5101837) as Municipio

describe('The table of municipalities', () => {
  it('has 5,571 codes, each of its state and in order', () => {
    const codes = municipios.all.map(({ codigo }) => codigo)
    assert.equal(new Set(codes).size, 5571)
    assert.deepEqual(codes, codes.toSorted())
    for (const { uf, codigo: estado } of territorios.estados)
      for (const { codigo } of territorios.municipiosOf(uf))
        assert.equal(Math.floor(codigo / 100_000), estado)
  })

  it('has the seat of each inside of Brazil', () => {
    for (const { nome, latitude, longitude } of municipios.all)
      assert.ok(latitude > -34 && latitude < 5.3 && longitude > -74 && longitude < -32, nome)
    assert.deepEqual([RECIFE.nome, RECIFE.latitude, RECIFE.longitude], ['Recife', -8.04666, -34.8771])
  })

  it('has a health region of the same state for all but the one that is new', () => {
    assert.deepEqual(
      municipios.all.filter(({ regiao }) => regiao === null),
      [BOA_ESPERANCA],
    )
    for (const { nome, uf, regiao } of municipios.all) assert.ok(regiao === null || regiao.uf === uf, nome)
  })
})

describe('The table of health regions', () => {
  it('has 449 of them, as many in each state as the source', () => {
    assert.equal(territorios.regioes.length, 449)
    assert.deepEqual(
      Object.fromEntries(territorios.estados.map(({ uf }) => [uf, territorios.regioesOf(uf).length])),
      REGIOES,
    )
  })

  it('has names of their own inside a state, commas included', () => {
    const names = territorios.regioes.map(({ nome, uf }) => `${uf} ${nome}`)
    assert.equal(new Set(names).size, 449)
    assert.equal(territorios.regiaoByCodigo(13001)?.nome, 'RS Manaus, Entorno e Alto Rio Negro')
  })

  it('has the municipalities that the source says', () => {
    const sizes = territorios.regioes.map(({ codigo }) => territorios.municipiosOfRegiao(codigo).length)
    assert.equal(
      sizes.reduce((sum, size) => sum + size, 0),
      5570,
    )
    assert.equal(Math.max(...sizes), 42)
    assert.equal(territorios.municipiosOfRegiao(22009).length, 42)
    assert.deepEqual(RECIFE.regiao, { codigo: 26010, nome: 'RS Recife', uf: 'PE' })
  })
})

describe('The table of population', () => {
  it('has the years from 2000 to 2024 of every municipality but the one that is new', () => {
    assert.deepEqual(
      populacao.anos,
      Array.from({ length: 25 }, (_, i) => 2000 + i),
    )
    for (const municipio of municipios.all)
      for (const ano of populacao.anos) {
        const residents = populacao.populationOf(municipio, ano)
        if (municipio === BOA_ESPERANCA) assert.equal(residents, null)
        else assert.ok(residents !== null && residents > 500, `${municipio.nome} ${ano}: ${residents}`)
      }
  })

  for (const [ano, sums] of Object.entries(SUMS))
    it(`adds up to what the source has for ${ano}`, () => {
      const sumOf = (place: string) =>
        populacao.populationOfAll(
          place === 'Brasil' ? municipios.all : territorios.municipiosOf(place),
          Number(ano),
        )
      for (const [place, sum] of Object.entries(sums)) assert.equal(sumOf(place), sum, place)
    })
})

describe('The table of population by sex and age band', () => {
  it('has the bands of the statistics, of men and of women', () => {
    const cells = estrutura.structureOf([RECIFE], 2024) ?? []
    assert.deepEqual(
      cells.map(({ sexo, faixa }) => `${sexo} ${faixa}`),
      ['M', 'F'].flatMap((sexo) => FAIXAS_ETARIAS.map((faixa) => `${sexo} ${faixa}`)),
    )
    assert.deepEqual(cells[5], { sexo: 'M', faixa: '20-39', populacao: 232_186 })
  })

  it('adds up to the population of every municipality and year', () => {
    assert.deepEqual(estrutura.anos, [2020, 2021, 2022, 2023, 2024])
    for (const municipio of municipios.all)
      for (const ano of estrutura.anos) {
        const cells = estrutura.structureOf([municipio], ano)
        const sum = cells?.reduce((total, cell) => total + cell.populacao, 0) ?? null
        assert.equal(sum, populacao.populationOf(municipio, ano), `${municipio.nome} ${ano}`)
      }
  })

  it('adds up to the bands of a state as its source has them', () => {
    const cells = estrutura.structureOf(territorios.municipiosOf('PE'), 2022) ?? []
    assert.deepEqual(
      cells.map((cell) => cell.populacao),
      PERNAMBUCO_2022,
    )
  })

  it('knows nothing of a municipality without figures, and takes the nearest year', () => {
    assert.equal(estrutura.structureOf([BOA_ESPERANCA], 2024), null)
    assert.deepEqual(estrutura.structureOf([RECIFE], 2031), estrutura.structureOf([RECIFE], 2024))
    assert.deepEqual(estrutura.structureOf([RECIFE], 2004), estrutura.structureOf([RECIFE], 2020))
    assert.notDeepEqual(estrutura.structureOf([RECIFE], 2021), estrutura.structureOf([RECIFE], 2020))
  })

  it('is read when it is first asked for, and once', async () => {
    const load = lazyEstruturaEtaria()
    const first = load()
    assert.equal(load(), first)
    assert.equal((await first).knownYear(1990), 2020)
  })
})

describe('A table of figures', () => {
  it('is read to the last digit', () => {
    const { columns, cells, start } = parseFigures(Buffer.from('codigo;a;b\n12;0;4294967295\n7;30;5\n'))
    assert.deepEqual(columns, ['a', 'b'])
    assert.deepEqual([start(12), start(7), start(8)], [1, 4, undefined])
    assert.deepEqual([...cells], [12, 0, 4_294_967_295, 7, 30, 5])
  })

  it('is refused with a line that is too short', () => {
    assert.throws(() => parseFigures(Buffer.from('codigo;a;b\n12;0;1\n7;30\n')), /several lengths/)
  })

  it('is small enough to be kept and to be loaded', () => {
    const bytes = (file: string) =>
      readFileSync(new URL(`../../src/brasil/tabelas/${file}`, import.meta.url)).length
    assert.ok(bytes('populacao-sexo-faixa.csv.gz') < 1_500_000)
    assert.ok(bytes('populacao.csv') < 1_000_000)
  })
})
