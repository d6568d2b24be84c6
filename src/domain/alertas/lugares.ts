import type { Uf } from '../../brasil/uf.ts'
import { invalid } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { type Lugar, type LugarPedido, lugarOf, type NivelDeLugar } from '../territorios/lugar.ts'

/** From the smallest to the largest; a place holds those of its own kind and smaller ones. */
const SIZES: readonly NivelDeLugar[] = ['municipio', 'regiao_saude', 'estado', 'pais']

/** Places of the kind inside of the place that is named, in the order of their codes. */
export function lugaresDoNivel(
  app: Pick<App, 'municipios' | 'territorios'>,
  pedido: LugarPedido & { nivel_lugar: NivelDeLugar },
): Lugar[] {
  const asked = lugarOf(app, pedido)
  const { nivel_lugar } = pedido
  if (SIZES.indexOf(nivel_lugar) > SIZES.indexOf(asked.nivel))
    throw invalid('query', ['nivel_lugar'], 'INCONSISTENT', { field: asked.nivel })
  if (nivel_lugar === asked.nivel) return [asked]
  const { estado } = asked
  if (nivel_lugar === 'municipio')
    return asked.municipios
      .toSorted((a, b) => a.codigo - b.codigo)
      .map(({ codigo }) => lugarOf(app, { municipio: String(codigo) }))
  if (nivel_lugar === 'estado')
    return app.territorios.estados.map(({ uf }) => lugarOf(app, { estado: uf as Uf }))
  const regioes = estado === null ? app.territorios.regioes : app.territorios.regioesOf(estado)
  return regioes.map(({ codigo }) => lugarOf(app, { regiao_saude: String(codigo) }))
}
