import type { ComponentChildren } from 'preact'
import type { AnswerOf } from '../../api/rows.ts'
import { sistemaTexts } from '../../state/texts/sistema.ts'
import { type Column, Table } from '../../ui/table.tsx'

type Medido = AnswerOf<'GET', '/api/v1/sistema'>
type Fila = Medido['filas'][string]
const DAY_MS = 86_400_000
/** A backup older than this is called old. */
const OLD_DAYS = 2

/** Work that waits, how long its oldest piece does, and what failed of it. */
export function Queues({ sistema: { filas, webhooks, medido_em } }: { sistema: Medido }) {
  const own = sistemaTexts()
  const notes: Record<string, (fila: Fila) => (string | false)[]> = {
    jobs: ({ em_andamento }) => [em_andamento > 0 && own.running(em_andamento)],
    entregas: ({ falhas }) => [
      falhas > 0 && own.failedLastHour(falhas),
      webhooks.falhando > 0 && own.webhooksFailing(webhooks.falhando),
      webhooks.desligados > 0 && own.webhooksOff(webhooks.desligados),
    ],
    emails: ({ falhas }) => [falhas > 0 && own.retrying(falhas)],
  }
  const rows = Object.entries(filas).map(([name, fila]) => ({
    ...fila,
    name: own.queueNames[name] ?? name,
    note: (notes[name]?.(fila) ?? []).filter((part) => part !== false).join(', '),
  }))
  return (
    <section class="card form">
      <h2>{own.queues}</h2>
      <div class="imports labelled">
        <Table caption={own.queues} columns={queueColumns()} rows={rows} keyOf={({ name }) => name} />
      </div>
      <p class="note">
        {own.refreshed} {own.time(new Date(medido_em))}
      </p>
    </section>
  )
}

function queueColumns(): Column<Fila & { name: string; note: string }>[] {
  const own = sistemaTexts()
  return [
    { key: 'fila', title: own.queue, cell: ({ name }) => name },
    {
      key: 'esperando',
      title: own.waiting,
      isNumber: true,
      cell: ({ esperando }) => own.number(esperando),
    },
    {
      key: 'antigo',
      title: own.oldest,
      isNumber: true,
      cell: ({ mais_antigo_segundos: age }) => (age > 0 ? own.seconds(age) : null),
    },
    { key: 'nota', title: own.more, cell: ({ note }) => note || null },
  ]
}

/** Space of database and disk, and the last backup, which is told where it is old or missing. */
export function Sizes({ sistema: { banco_bytes, disco, ultima_copia, medido_em } }: { sistema: Medido }) {
  const own = sistemaTexts()
  const age =
    ultima_copia === null
      ? null
      : Math.floor((Date.parse(medido_em) - Date.parse(ultima_copia.concluida_em)) / DAY_MS)
  return (
    <section class="card form">
      <h2>{own.sizes}</h2>
      <dl class="facts">
        <Fact name={own.database}>{own.bytes(banco_bytes)}</Fact>
        <Fact name={own.diskFree}>
          {own.diskOf(own.bytes(disco.livre_bytes), own.bytes(disco.total_bytes))}
        </Fact>
        <Fact name={own.backup}>
          {ultima_copia === null ? (
            <span class="tag amber">{own.noBackup}</span>
          ) : (
            own.backupOf(own.moment(new Date(ultima_copia.concluida_em)), own.bytes(ultima_copia.bytes))
          )}
          {age !== null && age >= OLD_DAYS && <small>{own.oldBackup(age)}</small>}
        </Fact>
      </dl>
      {ultima_copia === null && <p class="note">{own.noBackupNote}</p>}
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Accounts with the most requests of the hour, against what they may. */
export function Limits({ sistema: { limites } }: { sistema: Medido }) {
  const own = sistemaTexts()
  return (
    <section class="card form">
      <h2>{own.limits}</h2>
      {limites.length === 0 ? (
        <p class="note">{own.noUse}</p>
      ) : (
        <div class="imports labelled">
          <Table
            caption={own.limits}
            columns={limitColumns()}
            rows={limites}
            keyOf={({ usuario, console }) => `${usuario.id}-${console}`}
          />
        </div>
      )}
    </section>
  )
}

function limitColumns(): Column<Medido['limites'][number]>[] {
  const own = sistemaTexts()
  return [
    {
      key: 'conta',
      title: own.account,
      cell: ({ usuario, console }) => `${usuario.nome}, ${console ? own.inConsole : own.byPrograms}`,
    },
    {
      key: 'minuto',
      title: own.minute,
      isNumber: true,
      cell: ({ minuto, minuto_limite }) => own.use(minuto, minuto_limite),
    },
    {
      key: 'hora',
      title: own.hour,
      isNumber: true,
      cell: ({ hora, hora_limite }) => own.use(hora, hora_limite),
    },
  ]
}
