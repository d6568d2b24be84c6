import type { MapaDeCalor, ResumoDeCasos } from '../../ts/src/index.ts'
import { say, write } from '../context.ts'
import { type Filtering, filtersOf } from '../filters.ts'
import { printList, printObject } from '../output.ts'
import { command } from '../run.ts'

/** JSON lines, always: events are for programs. The cursor to go on from is told at the end. */
export const seguir = command<{ desde?: string; tipo?: string; umaVez: boolean }>(
  async ({ io, vigia, given }, { desde, tipo, umaVez }) => {
    const isCursor = desde !== undefined && /^\d+$/.test(desde)
    const query = { ...(desde !== undefined && !isCursor && { desde }), ...(tipo !== undefined && { tipo }) }
    let last = isCursor ? desde : undefined
    try {
      for await (const { eventos, cursor } of vigia.eventos(last, { query, follow: !umaVez, ...given })) {
        await write(io, eventos.map((evento) => `${JSON.stringify(evento)}\n`).join(''))
        last = cursor
      }
    } finally {
      if (last !== undefined) say(io, `--desde ${last}`)
    }
  },
)

type Resumindo = Filtering & { agregacao?: 'dia' | 'semana' | 'mes'; agrupar?: string }

export const resumo = command<Resumindo>(async ({ io, t, vigia, given }, flags) => {
  const { agregacao, agrupar } = flags
  const query = {
    ...filtersOf(flags, t),
    ...(agregacao !== undefined && { agregacao }),
    ...(agrupar !== undefined && { agrupar_por: agrupar }),
  }
  const call = { method: 'GET', path: '/agravos/casos/estatisticas/resumo', query } as const
  await printObject(io, (await (await vigia.response(call, given)).json()) as ResumoDeCasos, flags)
})

/** A table of places; with `--json` the GeoJSON as it is. */
export const mapa = command<Filtering & { nivel: 'municipio' | 'bairro' | 'cep' }>(
  async ({ io, t, vigia, given }, flags) => {
    const call = {
      method: 'GET',
      path: '/agravos/casos/mapa-calor',
      query: { nivel: flags.nivel, ...filtersOf(flags, t) },
    } as const
    const answer = (await (await vigia.response(call, given)).json()) as MapaDeCalor
    if (flags.json) return write(io, `${JSON.stringify(answer)}\n`)
    const names = Object.keys(
      answer.features[0]?.properties ?? {},
    ) as (keyof MapaDeCalor['features'][number]['properties'])[]
    await printList(
      io,
      answer.features,
      names.map((name) => [name, ({ properties }) => properties[name]]),
      { json: false, head: true },
    )
  },
)
