import { lugaresFrom } from '../../caller/territorio.ts'
import type { Db } from '../../db/db.ts'
import type { App } from '../app.ts'
import { enqueueEmail } from '../emails/emails.ts'
import type { Lugar } from '../territorios/lugar.ts'
import { seesWhole } from '../territorios/vistos.ts'
import { listDestinatarios } from './boletins.sql.ts'
import type { Boletim } from './dados.ts'
import { fatosDoEmail } from './email.ts'

/** Permission that reading a bulletin needs. */
const PERMISSAO = 'relatorios.gerar'

/**
 * Queues a mail to each member of a schedule's groups who may read the bulletin, in the transaction that stores it. The others learn
 * nothing, not even that there is one.
 */
export async function avisarGrupos(
  { territories }: Pick<App, 'territories'>,
  tx: Db,
  { id, agenda_id, lugar, boletim }: { id: number; agenda_id: number; lugar: Lugar; boletim: Boletim },
): Promise<void> {
  const fatos = fatosDoEmail(boletim)
  for (const { id: usuario_id, email, admin, territorios } of await listDestinatarios(
    tx,
    agenda_id,
    PERMISSAO,
  )) {
    const territorio = admin ? null : territories.of(lugaresFrom(territorios))
    if (seesWhole({ territorio }, lugar))
      await enqueueEmail(tx, {
        tipo: 'boletim_pronto',
        para: email,
        usuario_id,
        boletim_id: id,
        boletim: fatos,
      })
  }
}
