import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loadMunicipios } from '../../src/brasil/municipios.ts'
import { generateDefinidos } from '../../src/demo/definido.ts'
import { CONHECIDOS } from '../../src/domain/casos/agravos/conhecidos.ts'
import { isProprio } from '../../src/domain/casos/agravos/definicao.ts'
import { MODELOS } from '../../src/domain/casos/agravos/modelos.ts'
import { vigentesOf } from '../../src/domain/casos/agravos/vigentes.ts'
import { VOCABULARIO } from '../../src/domain/casos/agravos/vocabulario.ts'
import { chooseLayout } from '../../src/domain/importacao/layouts/choose.ts'

const municipios = await loadMunicipios()
const until = '2026-06-30'

describe('Made-up cases of a defined disease', () => {
  for (const definicao of MODELOS)
    it(`are cases of ${definicao.codigo} that a person could have registered`, () => {
      const all = [...CONHECIDOS, definicao]
      const agravos = vigentesOf(
        all.map((one) => ({ definicao: one, versao: 1, ativo: true })),
        VOCABULARIO,
      )
      const rows = [...generateDefinidos(municipios, definicao, { casos: 60, seed: 3, until })]
      const header = Object.keys(rows[0] ?? {})
      const layout = chooseLayout(header, {
        municipios,
        agravos,
        today: until,
        tipoAgravo: null,
        textos: false,
      })
      assert.ok('convert' in layout)
      for (const row of rows) {
        const converted = layout.convert(Object.values(row))
        assert.ok(converted.ok, converted.ok ? '' : converted.erro)
      }
      for (const { nome } of definicao.campos
        .filter(isProprio)
        .filter(({ antes_de }) => antes_de === undefined))
        assert.ok(
          rows.some((row) => row[`dados_especificos.${nome}`] !== ''),
          nome,
        )
    })
})
